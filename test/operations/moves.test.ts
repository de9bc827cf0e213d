import { describe, expect, test } from 'vitest';

import type { Facts, NewKey } from '../../src/operations/operation.ts';
import { transfer } from '../../src/operations/transfer.ts';
import { updateAccountKey } from '../../src/operations/updateAccountKey.ts';
import { withdraw } from '../../src/operations/withdraw.ts';
import { onchainDataHash } from '../../src/protocol/payloads/onchainData.ts';
import { code } from './nftSupport.ts';
import {
  ACCOUNT_ID,
  DAY,
  FRIEND,
  factsWith,
  feeAnswer,
  issueOf,
  keys,
  now,
  OWNER,
  pointOf,
  refusalOf,
  sentBody,
} from './support.ts';
import { expectStorageIdNeeded, historyRow, noting, submittedWith, told } from './told.ts';

const lrc = { tokenId: 1, volume: '123456789' };
const fees = { getOffchainFee: () => feeAnswer({ ETH: '3000', LRC: '4000' }) };
const counterFactualInfo = {
  accountId: ACCOUNT_ID,
  wallet: OWNER,
  walletFactory: FRIEND,
  walletSalt: '1',
  walletOwner: FRIEND,
};
const undeployed = (facts: Facts): Facts => ({ ...facts, account: { ...facts.account, counterFactualInfo } as never });
const signing = { baseUrl: 'http://127.0.0.1:4510', chainId: 31337 };

describe('a transfer', () => {
  const friendsAccount = { accountId: 10_010, owner: FRIEND, publicKey: { x: '0x1', y: '0x2' }, nonce: 1 };
  const answers = { ...fees, getAccount: () => ({ ...friendsAccount, frozen: false, keySeed: '' }) };
  const asked = { token: lrc, payeeAddr: FRIEND };
  const draftOf = (changes: object = {}, facts = factsWith(answers)) =>
    transfer.prepare(transfer.intent().parse({ ...asked, ...changes }), facts);

  test('is told whole', async () => {
    expect(told(transfer.review(await draftOf(), now))).toMatchInlineSnapshot(`
      "review_transferTotal amount=123456789 LRC recipient=address 0x1111111111111111111111111111111111111111 total=123460789 LRC
      - review_leaves: 123460789 LRC | review_withFee gross=123456789 LRC fee=4000 LRC | as pay | leaves
      - review_recipient: address 0x1111111111111111111111111111111111111111 | review_recipientFirst | as recipient
      - review_fee: 4000 LRC
      - review_expires: time 1800003600
      - review_arrives: 123456000 LRC at least | review_rounded
      ! notice recipient-new: warning_recipientNew
      bound: exchange payerId payerAddr payeeId payeeAddr token.tokenId token.volume maxFee.tokenId maxFee.volume validUntil
      unbound: "
    `);
  });

  test('with a fee in another token, a memo and an activation is told whole', async () => {
    const changes = {
      token: { ...lrc, volume: '5000' },
      maxFee: { tokenId: 0, volume: '9000' },
      payPayeeUpdateAccount: true,
      memo: 'rent',
      clientId: 'c1',
      validUntil: now + 31 * DAY,
    };
    const draft = await draftOf(changes, undeployed(factsWith({ ...answers, getAccount: () => null })));
    expect(draft.body).toMatchObject({ clientId: 'c1', memo: 'rent', payPayeeUpdateAccount: true, counterFactualInfo });
    expect(told(transfer.review(draft, now))).toMatchInlineSnapshot(`
      "review_transfer amount=5000 LRC recipient=address 0x1111111111111111111111111111111111111111
      - review_send: 5000 LRC | as pay | leaves
      - review_recipient: address 0x1111111111111111111111111111111111111111 | review_recipientFirst | as recipient
      - review_fee: 9000 ETH | review_feeNote quote=3000 ETH time=time 1800000000
      - review_expires: time 1802678400
      - review_activation: message review_activationPaid | unsigned
      - review_memo: document rent | review_memoNote
      ! notice validity-long: warning_validityLong until=time 1802678400
      ! danger fee-above-quote: warning_feeAboveQuote fee=9000 ETH quote=3000 ETH
      ! notice recipient-new: warning_recipientNew
      ! notice recipient-without-account: warning_recipientWithoutAccount
      bound: exchange payerId payerAddr payeeId payeeAddr token.tokenId token.volume maxFee.tokenId maxFee.volume validUntil
      unbound: memo clientId payPayeeUpdateAccount counterFactualInfo.accountId counterFactualInfo.wallet counterFactualInfo.walletFactory counterFactualInfo.walletSalt counterFactualInfo.walletOwner"
    `);
  });

  test('holds no more members than were asked for', async () => {
    const { body } = await draftOf();
    expect(Object.keys(body).sort()).toMatchInlineSnapshot(`
      [
        "exchange",
        "maxFee",
        "payeeAddr",
        "payeeId",
        "payerAddr",
        "payerId",
        "token",
        "validUntil",
      ]
    `);
  });

  test('asks the relayer for the receiver, and for the fee of its kind', async () => {
    const { facts, asked: reads } = noting(factsWith(answers));
    await draftOf({}, facts);
    await transfer.feeQuote?.({}, facts);
    expect(reads.join('\n')).toMatchInlineSnapshot(`
      "find getAccount {"owner":"0x1111111111111111111111111111111111111111"} ["ADDRESS_NOT_FOUND","ACCOUNT_NOT_FOUND"]
      read getOffchainFee {"accountId":10005,"requestType":3}
      recent getBalances {"accountId":10005} 30
      recent getTimestamp {} 10
      read getOffchainFee {"accountId":10005,"requestType":3}"
    `);
  });

  test('takes the account of a receiver by its number only when it is the one of the address', async () => {
    expect((await draftOf({ payeeId: 10_010 })).body.payeeId).toBe(10_010);
    expect(await refusalOf(transfer, { ...asked, payeeId: 10_011 }, factsWith(answers))).toBe(
      `payeeId: is not the account of ${FRIEND}`,
    );
    expect(
      await refusalOf(transfer, { ...asked, payeeId: 10_010 }, factsWith({ ...answers, getAccount: () => null })),
    ).toBe(`payeeId: is not the account of ${FRIEND}`);
    expect(issueOf(transfer, { ...asked, clientId: 'c'.repeat(121) })).toContain('clientId: ');
    expect(issueOf(transfer, { ...asked, clientId: 'c'.repeat(120) })).toBeUndefined();
  });

  test('tells its receiver and its fee, by whether it activates', async () => {
    const { body } = await draftOf();
    expect(transfer.recipient?.(body)).toBe(FRIEND);
    expect(transfer.fee?.(body)).toEqual({ requestType: 3, tokenId: 1, volume: '4000' });
    expect(transfer.fee?.({ ...body, payPayeeUpdateAccount: true })).toMatchObject({ requestType: 15 });
  });

  test('is carried out by a transfer with its storage id', async () => {
    const { body } = await draftOf();
    const sent = {
      type: 'Transfer',
      kind: 0,
      fromId: ACCOUNT_ID,
      toId: 10_010,
      tokenId: 1,
      amount: 123_456_000n,
      feeTokenId: 1,
      fee: 4_000n,
      storageId: 41,
      to: BigInt(FRIEND),
      from: BigInt(OWNER),
      toTokenId: 0,
    } as const;
    const execution = transfer.executedAs?.(body, 41);
    expect(execution?.isOf(sent)).toBe(true);
    expect(execution?.fits([{ transactions: [sent], index: 0 }])).toBe(true);
    expect(execution?.fits([{ transactions: [{ ...sent, fee: 4_001n }], index: 0 }])).toBe(false);
    expect(transfer.executedAs?.(body, 43).isOf(sent)).toBe(false);
  });

  test('is found among the transfers of the account', async () => {
    const { facts, asked: reads } = noting(
      factsWith({
        getTransfers: () => ({
          totalNum: 1,
          transactions: [historyRow()],
        }),
      }),
    );
    expect((await transfer.settle.find?.(submittedWith(), facts))?.state).toBe('processed');
    expect(await transfer.settle.blocks?.(submittedWith(), facts)).toEqual({ blockIds: [9], more: false });
    expect(reads[0]).toBe(
      `read getTransfers {"accountId":${ACCOUNT_ID},"hashes":"0x0000000000000000000000000000000000000000000000000000000000000007"}`,
    );
  });

  test('is sent with both signatures, and never without a storage id', async () => {
    const draft = await draftOf();
    const signed = await transfer.sign(draft, 41, signing, keys);
    expect(signed.endpoint).toBe('submitTransfer');
    const { eddsaSignature, ecdsaSignature, ...body } = sentBody(signed);
    expect(body).toEqual({ ...draft.body, storageId: 41 });
    expect([typeof eddsaSignature, ecdsaSignature]).toEqual(['string', signed.signature]);
    await expectStorageIdNeeded(transfer, draft);
  });
});

describe('a withdrawal', () => {
  const answers = {
    getOffchainFee: ({ query }: { query?: Record<string, unknown> }) =>
      feeAnswer(query?.requestType === 4 ? { ETH: '9', LRC: '40000' } : { ETH: '3000', LRC: '4000' }),
    getCode: () => code('0x'),
  };
  const draftOf = (changes: object = {}, facts = factsWith(answers)) =>
    withdraw.prepare(withdraw.intent().parse({ token: lrc, ...changes }), facts);

  test('is told whole', async () => {
    expect(told(withdraw.review(await draftOf(), now))).toMatchInlineSnapshot(`
      "review_withdrawTotal amount=123456789 LRC recipient=address 0xAe72A48c1a36bd18Af168541c53037965d26e4A8 total=123460789 LRC
      - review_leaves: 123460789 LRC | review_withFee gross=123456789 LRC fee=4000 LRC | as pay | leaves
      - review_recipient: address 0xAe72A48c1a36bd18Af168541c53037965d26e4A8 | review_recipientFirst | as recipient
      - review_domainChain: text 31337
      - review_fee: 4000 LRC
      - review_expires: time 1800003600
      ! notice recipient-new: warning_recipientNew
      ! notice withdraw-other-chain: warning_withdrawOtherChain chain=text 31337
      bound: exchange accountId owner token.tokenId token.volume maxFee.tokenId maxFee.volume validUntil minGas to
      unbound: "
    `);
  });

  test('fast, to somebody else and with conditions on layer 1 is told whole', async () => {
    const changes = {
      to: FRIEND,
      minGas: 9,
      extraData: '0x00ff',
      fastWithdrawalMode: true,
      validUntil: now + 31 * DAY,
    };
    const draft = await draftOf(changes, undeployed(factsWith(answers)));
    expect(draft.body).toMatchObject({ counterFactualInfo });
    expect(told(withdraw.review(draft, now))).toMatchInlineSnapshot(`
      "review_withdrawTotal amount=123456789 LRC recipient=address 0x1111111111111111111111111111111111111111 total=123496789 LRC
      - review_leaves: 123496789 LRC | review_withFee gross=123456789 LRC fee=40000 LRC | as pay | leaves
      - review_recipient: address 0x1111111111111111111111111111111111111111 | review_recipientFirst | as recipient
      - review_domainChain: text 31337
      - review_fee: 40000 LRC
      - review_expires: time 1802678400
      - review_minGas: text 9
      - review_extraData: document 0x00ff
      - review_speed: message review_speedFast | unsigned
      ! notice validity-long: warning_validityLong until=time 1802678400
      ! notice recipient-new: warning_recipientNew
      ! danger withdraw-elsewhere: warning_withdrawElsewhere address=address 0x1111111111111111111111111111111111111111
      ! notice withdraw-other-chain: warning_withdrawOtherChain chain=text 31337
      ! note fast-unbound: warning_fastUnbound
      bound: exchange accountId owner token.tokenId token.volume maxFee.tokenId maxFee.volume validUntil minGas to extraData
      unbound: fastWithdrawalMode counterFactualInfo.accountId counterFactualInfo.wallet counterFactualInfo.walletFactory counterFactualInfo.walletSalt counterFactualInfo.walletOwner"
    `);
  });

  test('with a fee in another token is told whole', async () => {
    expect(told(withdraw.review(await draftOf({ feeTokenId: 0 }), now))).toMatchInlineSnapshot(`
      "review_withdraw amount=123456789 LRC recipient=address 0xAe72A48c1a36bd18Af168541c53037965d26e4A8
      - review_withdrawn: 123456789 LRC | as pay | leaves
      - review_recipient: address 0xAe72A48c1a36bd18Af168541c53037965d26e4A8 | review_recipientFirst | as recipient
      - review_domainChain: text 31337
      - review_fee: 3000 ETH
      - review_expires: time 1800003600
      ! notice recipient-new: warning_recipientNew
      ! notice withdraw-other-chain: warning_withdrawOtherChain chain=text 31337
      bound: exchange accountId owner token.tokenId token.volume maxFee.tokenId maxFee.volume validUntil minGas to
      unbound: "
    `);
  });

  test('holds no more members than were asked for', async () => {
    const { body } = await draftOf({ to: OWNER.toLowerCase() });
    expect(Object.keys(body).sort()).toMatchInlineSnapshot(`
      [
        "accountId",
        "exchange",
        "maxFee",
        "minGas",
        "owner",
        "to",
        "token",
        "validUntil",
      ]
    `);
  });

  const usual = 'read getOffchainFee {"accountId":10005,"requestType":1,"tokenSymbol":"LRC"}';
  const fast = 'read getOffchainFee {"accountId":10005,"requestType":4,"tokenSymbol":"LRC","amount":"123456789"}';
  const receiver = `find getCode {"address":"${FRIEND}"} ["L1_NODE_ERROR"]`;
  test.each([
    ['usual', {}, [usual]],
    ['fast', { fastWithdrawalMode: true, to: FRIEND }, [fast, receiver]],
    ['to the owner in small letters', { to: OWNER.toLowerCase() }, [usual]],
  ])('asks the relayer for the %s fee, and of others whether a contract receives', async (_what, changes, expected) => {
    const { facts, asked: reads } = noting(factsWith(answers));
    await draftOf(changes, facts);
    expect(reads.filter((read) => !read.startsWith('recent'))).toEqual(expected);
  });

  test('names the fee of a screen by token and speed', async () => {
    const { facts, asked: reads } = noting(factsWith(answers));
    await withdraw.feeQuote?.({}, facts);
    await withdraw.feeQuote?.({ tokenId: 1, fast: true }, facts);
    expect(reads).toMatchInlineSnapshot(`
      [
        "read getOffchainFee {"accountId":10005,"requestType":1,"tokenSymbol":"ETH"}",
        "read getOffchainFee {"accountId":10005,"requestType":4,"tokenSymbol":"LRC"}",
      ]
    `);
    await expect(withdraw.feeQuote?.({ tokenId: 9 }, facts)).rejects.toThrow('tokenId: the relayer lists no token 9');
  });

  test('fast takes the fee in its own token, named or not, and no other', async () => {
    const fast = { fastWithdrawalMode: true };
    expect((await draftOf({ ...fast, feeTokenId: 1 })).body.maxFee).toEqual({ tokenId: 1, volume: '40000' });
    const maxFee = { tokenId: 1, volume: '50000' };
    expect((await draftOf({ ...fast, maxFee })).body.maxFee).toEqual(maxFee);
    expect((await draftOf({ feeTokenId: 0 })).body.maxFee).toEqual({ tokenId: 0, volume: '3000' });
    expect(await refusalOf(withdraw, { token: { tokenId: 9, volume: '1' } }, factsWith(answers))).toBe(
      'token.tokenId: the relayer lists no token 9',
    );
  });

  test('tells its receiver and its fee, by its speed', async () => {
    const { body } = await draftOf({ to: FRIEND });
    expect(withdraw.recipient?.(body)).toBe(FRIEND);
    expect(withdraw.fee?.(body)).toEqual({ requestType: 1, tokenId: 1, volume: '4000' });
    expect(withdraw.fee?.({ ...body, fastWithdrawalMode: true })).toMatchObject({ requestType: 4 });
  });

  test('is carried out by a withdrawal of its amount', async () => {
    const { body } = await draftOf();
    const left = {
      type: 'Withdrawal',
      kind: 0,
      from: BigInt(OWNER),
      accountId: ACCOUNT_ID,
      tokenId: 1,
      amount: 123_456_789n,
      feeTokenId: 1,
      fee: 4_000n,
      storageId: 41,
      onchainDataHash: onchainDataHash(body),
    } as const;
    const execution = withdraw.executedAs?.(body, 41);
    expect(execution?.isOf(left)).toBe(true);
    expect(execution?.fits([{ transactions: [left], index: 0 }])).toBe(true);
    expect(execution?.fits([{ transactions: [{ ...left, amount: 1n }], index: 0 }])).toBe(false);
    expect(withdraw.executedAs?.(body, 43).isOf(left)).toBe(false);
  });

  test('is found among the withdrawals of the account', async () => {
    const { facts, asked: reads } = noting(
      factsWith({ getWithdrawals: () => ({ totalNum: 1, transactions: [historyRow({ status: 'failed' })] }) }),
    );
    expect((await withdraw.settle.find?.(submittedWith(), facts))?.state).toBe('failed');
    expect(reads[0]).toMatch(/^read getWithdrawals \{"accountId":10005,"hashes":"0x0+7"\}$/);
  });

  test('is sent with both signatures, and never without a storage id', async () => {
    const draft = await draftOf();
    const signed = await withdraw.sign(draft, 41, signing, keys);
    expect(signed.endpoint).toBe('submitWithdrawal');
    const { eddsaSignature, ecdsaSignature, ...body } = sentBody(signed);
    expect(body).toEqual({ ...draft.body, storageId: 41 });
    expect([typeof eddsaSignature, ecdsaSignature]).toEqual(['string', signed.signature]);
    await expectStorageIdNeeded(withdraw, draft);
  });

  test('and a transfer draw on the odd ids of the moved token', async () => {
    expect(withdraw.storageSlot(await draftOf())).toEqual({ tokenId: 1, parity: 'offchain' });
  });
});

describe('a key update', () => {
  const newKey: NewKey = { publicKey: pointOf(2), kind: 'derived', keySeed: 'the text', nonce: 4 };
  const account = { accountId: ACCOUNT_ID, owner: OWNER, frozen: false, publicKey: pointOf(3), nonce: 4, keySeed: '' };
  const noKey = { x: '', y: '' };
  const answers = { ...fees, getAccount: () => account, getOrders: () => ({ totalNum: 7, orders: [] }) };
  const factsOf = (changes: object = {}, choice = newKey): Facts => ({
    ...factsWith({ ...answers, ...changes }),
    newKey: choice,
  });
  const draftOf = (intent: object = {}, facts = factsOf()) =>
    updateAccountKey.prepare(updateAccountKey.intent().parse(intent), facts);

  test('is told whole', async () => {
    expect(told(updateAccountKey.review(await draftOf(), now))).toMatchInlineSnapshot(`
      "review_updateAccountKey account=integer 10005
      - review_newKey: hex 0x1a19983711148c454a28c70f6d5eb9b351c88e4ff1da8b011e44eb5f078f4a0d | newKeyNote_derived
      - review_oldKey: hex 0x0e60bf6677e97b5a432985b9dacca6f14f5fbf65ac84b3cf6f4e549488b0955e
      - review_ordersThatEnd: integer 7
      - review_fee: 3000 ETH
      - review_expires: time 1800003600
      - review_nonce: integer 4
      ! danger key-change: warning_keyChange
      ! notice orders-end: warning_ordersEndCount count=integer 7
      bound: exchange owner accountId publicKey.x publicKey.y maxFee.tokenId maxFee.volume validUntil nonce
      unbound: keySeed"
    `);
  });

  test.each([
    ['an empty key', noKey],
    ['a key of zero', { x: '0x0', y: '0x0' }],
  ])('of an account with %s is the first, and ends nothing', async (_what, publicKey) => {
    const draft = await draftOf(
      { feeTokenId: 1 },
      factsOf({ getAccount: () => ({ ...account, publicKey }) }, { ...newKey, kind: 'random', keySeed: '' }),
    );
    expect(told(updateAccountKey.review(draft, now))).toMatchInlineSnapshot(`
      "review_firstKey account=integer 10005
      - review_newKey: hex 0x1a19983711148c454a28c70f6d5eb9b351c88e4ff1da8b011e44eb5f078f4a0d | newKeyNote_random
      - review_fee: 4000 LRC
      - review_expires: time 1800003600
      - review_nonce: integer 4
      ! danger key-change: warning_keyChange
      ! notice key-random: warning_keyRandom
      bound: exchange owner accountId publicKey.x publicKey.y maxFee.tokenId maxFee.volume validUntil nonce
      unbound: keySeed"
    `);
  });

  test('whose orders cannot be counted is told whole', async () => {
    const { getOrders: _, ...fewer } = answers;
    const draft = await updateAccountKey.prepare({}, { ...undeployed(factsWith(fewer)), newKey });
    expect(draft.body).toMatchObject({ counterFactualInfo });
    expect(told(updateAccountKey.review(draft, now))).toMatchInlineSnapshot(`
      "review_updateAccountKey account=integer 10005
      - review_newKey: hex 0x1a19983711148c454a28c70f6d5eb9b351c88e4ff1da8b011e44eb5f078f4a0d | newKeyNote_derived
      - review_oldKey: hex 0x0e60bf6677e97b5a432985b9dacca6f14f5fbf65ac84b3cf6f4e549488b0955e
      - review_ordersThatEnd: message review_ordersUnknown
      - review_fee: 3000 ETH
      - review_expires: time 1800003600
      - review_nonce: integer 4
      ! danger key-change: warning_keyChange
      ! notice orders-end: warning_ordersEnd
      bound: exchange owner accountId publicKey.x publicKey.y maxFee.tokenId maxFee.volume validUntil nonce
      unbound: keySeed counterFactualInfo.accountId counterFactualInfo.wallet counterFactualInfo.walletFactory counterFactualInfo.walletSalt counterFactualInfo.walletOwner"
    `);
  });

  test('asks the relayer for account, fee and open orders', async () => {
    const { facts, asked: reads } = noting(factsOf());
    const { body } = await draftOf({}, facts);
    await updateAccountKey.recheck?.({ body, shown: {} as never }, facts);
    expect(reads.join('\n')).toMatchInlineSnapshot(`
      "read getAccount {"accountId":10005}
      find getOffchainFee {"accountId":10005,"requestType":2} ["API_KEY_EMPTY"]
      recent getBalances {"accountId":10005} 30
      recent getOrders {"accountId":10005,"status":"processing,waiting","limit":50} 0
      recent getTimestamp {} 10
      read getAccount {"accountId":10005}"
    `);
    expect(Object.keys(body).sort()).toMatchInlineSnapshot(`
      [
        "accountId",
        "exchange",
        "keySeed",
        "maxFee",
        "nonce",
        "owner",
        "publicKey",
        "validUntil",
      ]
    `);
  });

  test.each([
    [
      'the same point in other letters',
      { x: newKey.publicKey.x.toUpperCase().replace('0X', '0x'), y: newKey.publicKey.y },
      'publicKey: is registered already',
    ],
    ['another y', { x: newKey.publicKey.x, y: pointOf(3).y }, 'accepted'],
    ['another x', { x: pointOf(3).x, y: newKey.publicKey.y }, 'accepted'],
  ])('compares the registered key by both numbers: %s', async (_what, publicKey, expected) => {
    expect(await refusalOf(updateAccountKey, {}, factsOf({ getAccount: () => ({ ...account, publicKey }) }))).toBe(
      expected,
    );
  });

  test('goes on for the owner in other letters', async () => {
    const given = factsOf({ getAccount: () => ({ ...account, owner: OWNER.toLowerCase() }) });
    expect(await refusalOf(updateAccountKey, {}, given)).toBe('accepted');
  });

  test('tells what it costs, and which nonce has passed', async () => {
    const draft = await draftOf();
    expect(updateAccountKey.fee?.(draft.body)).toEqual({ requestType: 2, tokenId: 0, volume: '3000' });
    expect(updateAccountKey.storageSlot(draft)).toBeNull();
    expect(updateAccountKey.result?.(submittedWith({ body: draft.body }))).toEqual({ publicKey: newKey.publicKey });
    const passed = factsOf({ getAccount: () => ({ ...account, nonce: 5 }) });
    await expect(updateAccountKey.recheck?.(draft, passed)).rejects.toMatchObject({
      ...{ name: 'FactsChanged', message: "The account's nonce is 5, not 4 any more." },
      text: { key: 'problem_nonceChanged' },
    });
    const isMissing = { name: 'ChoiceNeeded', message: expect.stringContaining('the new key') };
    await expect(draftOf({}, factsOf({}, { ...newKey, nonce: 3 }))).rejects.toMatchObject(isMissing);
    await expect(updateAccountKey.prepare({}, factsWith(answers))).rejects.toMatchObject(isMissing);
  });

  test('is sent with the owner’s signature in body and header', async () => {
    const draft = await draftOf();
    const signed = await updateAccountKey.sign(draft, null, signing, keys);
    expect(signed.endpoint).toBe('updateAccount');
    expect(sentBody(signed).ecdsaSignature).toBe(signed.signature);
  });

  describe('ends', () => {
    const { find, blocks, outcomeOf } = updateAccountKey.settle;
    const body = { owner: OWNER, publicKey: newKey.publicKey, nonce: 4, validUntil: now - 121 };
    const submitted = submittedWith({ body });
    const reads = (reported: object, timestamp = now * 1000, at = now) => ({
      ...factsWith({ getAccount: () => ({ ...account, ...reported }), getTimestamp: () => ({ timestamp }) }),
      now: at,
    });

    test.each<[string, object, object | null]>([
      ['well', { publicKey: newKey.publicKey }, { state: 'processed', ack: { status: 'processed' } }],
      ['badly', { nonce: 5 }, { state: 'failed', ack: {}, note: 'nonce 4 was used by another key' }],
      ['late', {}, { state: 'expired', ack: {}, note: 'another key is registered after the end of its time' }],
      ['not yet', { frozen: true }, null],
    ])('%s', async (_how, reported, outcome) => {
      expect(await find?.(submitted, reads(reported))).toEqual(outcome);
    });

    test('by both clocks, each past the end and the time that it may be off', async () => {
      const end = body.validUntil + 120;
      const at = async (relayer: number, own: number) => (await find?.(submitted, reads({}, relayer, own)))?.state;
      expect(await at(end * 1000 + 1, end + 1)).toBe('expired');
      expect(await at(end * 1000, end + 1)).toBeUndefined();
      expect(await at(end * 1000 + 1, end)).toBeUndefined();
    });

    test('asks for the account by its number, and for the time only when its own clock says so', async () => {
      const late = noting(reads({}));
      await find?.(submitted, late.facts);
      expect(late.asked).toEqual(['read getTimestamp {}', `read getAccount {"accountId":${ACCOUNT_ID}}`]);
      const early = noting(reads({}, 0, now - 1));
      await find?.(submitted, early.facts);
      expect(early.asked).toEqual([`read getAccount {"accountId":${ACCOUNT_ID}}`]);
    });

    test('in the block of its row', async () => {
      const { facts, asked: asks } = noting(
        factsWith({
          getUserTransactions: () => ({ totalNum: 1, transactions: [historyRow()] }),
        }),
      );
      expect(await blocks?.(submitted, facts)).toEqual({ blockIds: [9], more: false });
      expect(asks[0]).toMatch(/^read getUserTransactions \{"accountId":10005,"hashes":"0x0+7"\}$/);
      expect(await blocks?.({ ...submitted, hash: null }, facts)).toEqual({ blockIds: [], more: false });
      expect(asks).toHaveLength(1);
      expect(outcomeOf({ status: 'processed' })).toEqual({ state: 'open', ack: { status: 'processed' } });
    });
  });
});
