import { getAddress, hexToBytes } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counterFactualWalletAddress } from '../../../src/protocol/counterFactualWallet.ts';
import { relayerErrors } from '../../../src/protocol/index.ts';
import { auditDatabase } from '../support/audit.ts';
import { databases, START_TIMEOUT_MS } from '../support/databases.ts';
import { DEPOSITOR, type Operated, someEvent, startOperated, until } from '../support/operated.ts';
import { TestAccount } from '../support/testAccount.ts';
import { ETH, ether, LRC } from '../support/tokens.ts';

const CONTRACT = '0x00000000000000000000000000000000000000c1';

describe.each(databases)('deposits that the operator reports, on $name', ({ start }) => {
  let operated: Operated;
  beforeAll(async () => {
    operated = await startOperated(start);
  }, START_TIMEOUT_MS);
  afterAll(() => operated.close());

  const owner = () => new TestAccount(operated.test.place).owner;
  const report = (changes: object = {}) => ({
    owner: owner(),
    symbol: 'LRC',
    amount: String(5n * ether),
    from: DEPOSITOR,
    ...someEvent(),
    ...changes,
  });
  const bookedFor = async (address: string) => {
    const rows = await operated.test.relayer.db.query<{ amount: bigint }>(
      `SELECT amount FROM requests WHERE owner = $1 AND kind IN ('deposit', 'nftDeposit')`,
      [address.toLowerCase()],
    );
    return rows.map(({ amount }) => amount);
  };

  it('fund an account that trades, without any /dev route', async () => {
    const [maker, taker] = [await operated.funded(), await operated.funded()];
    expect((await operated.test.call('POST', '/dev/faucet', { body: {} })).status).toBe(404);
    await maker.submit(await maker.order([LRC, 100n * ether], [ETH, ether / 10n]));
    await taker.submit(await taker.order([ETH, ether / 10n], [LRC, 100n * ether], { orderType: 'TAKER_ONLY' }));
    await until('the two trade', async () => (await maker.balance(LRC)).total === 9_900n * ether);
    const { body } = await maker.get('/api/v3/user/deposits', { tokenSymbol: 'LRC' });
    expect(body.transactions).toHaveLength(1);
    expect(body.transactions[0]).toMatchObject({
      amount: String(10n ** 22n),
      status: 'processed',
      senderAddress: DEPOSITOR,
    });
    const [{ txHash, hash }] = body.transactions;
    expect(txHash).not.toBe(hash);
    for (const hashes of [txHash, hash, `0x${txHash.slice(2).toUpperCase()}`]) {
      const found = (await maker.get('/api/v3/user/deposits', { hashes })).body.transactions;
      expect(found.map((row: { hash: string }) => row.hash)).toEqual([hash]);
    }
    expect(await auditDatabase(operated.test.relayer.db)).toEqual([]);
  });

  it('of a smart wallet that is not deployed yet are its owner’s once the wallet is registered', async () => {
    const { walletFactory, walletProxyCode } = operated.test.relayer.config;
    const walletOwner = owner();
    const wallet = counterFactualWalletAddress(
      { walletFactory, walletOwner, walletSalt: '7' },
      hexToBytes(walletProxyCode),
    );
    const { body: booked } = await operated.tell('deposit-confirmed', report({ owner: wallet }));
    const info = () => operated.test.call('GET', '/api/v3/counterFactualInfo', { query: { address: wallet } });
    expect((await info()).body.resultInfo.code).toBe(relayerErrors.ADDRESS_NOT_FOUND.code);
    const told = { owner: wallet, walletOwner, walletSalt: '7' };
    for (const wrong of [{ walletSalt: '8' }, { walletOwner: owner() }, { owner: owner() }])
      expect(await operated.tell('register-wallet', { ...told, ...wrong })).toMatchObject({
        status: 404,
        body: { error: { reason: 'unknown' } },
      });
    for (const walletSalt of [String(1n << 256n), 'abc', '1.5', ''])
      expect((await operated.tell('register-wallet', { ...told, walletSalt })).status).toBe(400);
    const answer = { accountId: booked.accountId };
    expect(await operated.tell('register-wallet', told)).toMatchObject({ body: { repeated: false, ...answer } });
    const spelled = { ...told, owner: wallet.toLowerCase(), walletSalt: '007' };
    expect(await operated.tell('register-wallet', spelled)).toMatchObject({ body: { repeated: true, ...answer } });
    expect((await info()).body).toEqual({
      ...answer,
      wallet: getAddress(wallet),
      walletFactory: getAddress(walletFactory),
      walletOwner: getAddress(walletOwner),
      walletSalt: '7',
    });
    const lines = (await operated.list('log')).filter(({ action }) => action === 'registerWallet');
    expect(lines.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'refused', 'done', 'repeated']);
  });

  it('are booked once, however often and in whatever spelling they are told', async () => {
    const told = report({ from: owner() });
    const first = await operated.tell('deposit-confirmed', told);
    expect(first).toMatchObject({ status: 200, body: { repeated: false } });
    const inCapitals = (hash: string) => `0x${hash.slice(2).toUpperCase()}`;
    const upper = {
      ...told,
      ...{ owner: told.owner.toLowerCase(), from: told.from.toLowerCase() },
      ...{ txHash: inCapitals(told.txHash), blockHash: inCapitals(told.blockHash) },
    };
    const again = await operated.tell('deposit-confirmed', upper);
    expect(again.body).toMatchObject({ repeated: true, hash: first.body.hash, accountId: first.body.accountId });
    expect(await bookedFor(told.owner)).toEqual([5n * ether]);
  });

  it('are two when one transaction holds two', async () => {
    const told = report();
    await operated.tell('deposit-confirmed', told);
    expect((await operated.tell('deposit-confirmed', { ...told, logIndex: 1 })).body.repeated).toBe(false);
    expect(await bookedFor(told.owner)).toEqual([5n * ether, 5n * ether]);
  });

  it('contradict a report with other facts, and one of the same transaction in another block', async () => {
    const told = report();
    await operated.tell('deposit-confirmed', told);
    for (const change of [{ amount: '1' }, { symbol: 'ETH' }, { owner: owner() }, { from: told.owner }]) {
      const reply = await operated.tell('deposit-confirmed', { ...told, ...change });
      expect(reply, JSON.stringify(change)).toMatchObject({
        status: 409,
        body: { error: { reason: 'contradiction' } },
      });
      expect(reply.body.error.message).toContain('is booked with other facts: 5000000000000000000 of token 1');
    }
    const nft = await operated.tell('nft-deposit-confirmed', {
      ...{ owner: told.owner, from: DEPOSITOR, nftType: 'ERC1155', tokenAddress: CONTRACT, nftId: '0x1', amount: '1' },
      ...{ blockHash: told.blockHash, txHash: told.txHash, logIndex: told.logIndex },
    });
    expect(nft.status).toBe(409);
    for (const logIndex of [0, 1]) {
      const moved = { ...told, blockHash: someEvent().blockHash, logIndex };
      const reply = await operated.tell('deposit-confirmed', moved);
      expect(reply).toMatchObject({ status: 409, body: { error: { reason: 'contradiction' } } });
      expect(reply.body.error.message).toContain(`was reported in block ${told.blockHash}`);
    }
    expect(await bookedFor(told.owner)).toEqual([5n * ether]);
  });

  it('of an NFT are credited once, in one slot, with its contract as the minter', async () => {
    const account = await operated.funded();
    const told = {
      ...{ owner: account.owner, from: DEPOSITOR, nftType: 'ERC1155', tokenAddress: CONTRACT, nftId: '0x2a' },
      ...{ amount: '3', ...someEvent() },
    };
    const [first, again] = [
      await operated.tell('nft-deposit-confirmed', told),
      await operated.tell('nft-deposit-confirmed', {
        ...{ ...told, nftId: `0x${'2a'.padStart(64, '0')}` },
        tokenAddress: `0x${CONTRACT.slice(2).toUpperCase()}`,
      }),
    ];
    expect(first).toMatchObject({ status: 200, body: { repeated: false, accountId: account.accountId } });
    expect(again).toMatchObject({ status: 200, body: { repeated: true } });
    await operated.tell('nft-deposit-confirmed', { ...told, ...someEvent(), amount: '2' });
    const nft = await until('the NFT is credited', async () => {
      const { body } = await account.get('/api/v3/user/nft/balances');
      return body.data[0]?.total === '5' && body.data[0];
    });
    expect(nft).toMatchObject({ tokenAddress: CONTRACT, minter: CONTRACT, nftType: 'ERC1155' });
    const { body } = await account.get('/api/v3/user/nft/deposits', { hashes: told.txHash });
    expect(body).toMatchObject({ totalNum: 1, deposits: [{ hash: first.body.hash, txHash: told.txHash }] });
    expect(await auditDatabase(operated.test.relayer.db)).toEqual([]);
  });

  it('are refused, with the field, when they name nothing that could be credited', async () => {
    const symbol = await operated.tell('deposit-confirmed', report({ symbol: 'NONE' }));
    expect(symbol).toMatchObject({ status: 404, body: { error: { reason: 'unknown' } } });
    const share = await operated.tell('deposit-confirmed', report({ symbol: 'LP-LRC-ETH' }));
    expect(share.body.error.message).toBe('symbol: LP-LRC-ETH is no token that can be deposited');
    const zero = await operated.tell('deposit-confirmed', report({ amount: '0' }));
    expect(zero).toMatchObject({ status: 400, body: { error: { reason: 'invalid', message: 'amount: is zero' } } });
    const zeroAddress = `0x${'0'.repeat(40)}`;
    const nobody = await operated.tell('deposit-confirmed', report({ owner: zeroAddress }));
    expect(nobody).toMatchObject({ status: 400, body: { error: { message: 'owner: is the zero address' } } });
    const nftOfNobody = await operated.tell('nft-deposit-confirmed', {
      ...{
        owner: zeroAddress,
        from: DEPOSITOR,
        nftType: 'ERC1155',
        tokenAddress: zeroAddress,
        nftId: '0x1',
        amount: '1',
      },
      ...someEvent(),
    });
    expect(nftOfNobody.body.error.message).toContain('owner: is the zero address');
    expect(nftOfNobody.body.error.message).toContain('tokenAddress: is the zero address');
    const none = await operated.tell('nft-deposit-confirmed', {
      ...{ owner: owner(), from: DEPOSITOR, nftType: 'ERC1155', tokenAddress: CONTRACT, nftId: '0x1', amount: '0' },
      ...someEvent(),
    });
    expect(none).toMatchObject({ status: 400, body: { error: { message: 'amount: is zero' } } });
    const two = await operated.tell('nft-deposit-confirmed', {
      ...{ owner: owner(), from: DEPOSITOR, nftType: 'ERC721', tokenAddress: CONTRACT, nftId: '0x1', amount: '2' },
      ...someEvent(),
    });
    expect(two.body.error.message).toBe('amount: there is one piece of an ERC-721 token');
    const nothing = await operated.tell('deposit-confirmed');
    expect(nothing.status).toBe(400);
    for (const field of ['owner', 'symbol', 'amount', 'from', 'blockHash', 'txHash', 'logIndex'])
      expect(nothing.body.error.message).toContain(`${field}: `);
  });
});
