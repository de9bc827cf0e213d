import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { bytesToHex, hashMessage } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { handedOver, hidesCharacters } from '../../src/operations/foreignSignature.ts';
import type { Facts } from '../../src/operations/operation.ts';
import { messageText, signMessage } from '../../src/operations/signMessage.ts';
import { signTypedData } from '../../src/operations/signTypedData.ts';
import { exchangeDomain, keySeedText, poolDomain, typedDataTypes } from '../../src/protocol/index.ts';
import { ownerSignature } from '../../src/receipts/recoverSigner.ts';
import { ACCOUNT_ID, FRIEND, factsWith, issueOf, keys, now, OWNER, pointOf } from './support.ts';
import { submittedWith } from './told.ts';

const facts = factsWith({ getAccount: () => null });
const hex = (text: string) => bytesToHex(utf8ToBytes(text));
const draftOf = (text: string) => signMessage.prepare({ account: OWNER as never, message: hex(text) }, facts);
const signed = { baseUrl: facts.baseUrl, chainId: facts.chainId };
const signIn = (host: string) =>
  `${host} wants you to sign in with your Ethereum account:\n${OWNER}\n\nURI: https://${host}\nVersion: 1\nNonce: 12345678`;

test('a signature for a site is over as soon as it is there', async () => {
  for (const operation of [signMessage, signTypedData]) {
    expect(operation.settle).toBe(handedOver);
    expect(operation.storageSlot({} as never)).toBeNull();
  }
  expect(handedOver.outcomeOf({ a: 1 })).toEqual({ state: 'processed', ack: { a: 1 } });
  expect(await handedOver.find?.(submittedWith(), facts)).toEqual({ state: 'processed', ack: {} });
});

describe('a text', () => {
  test('is asked for as whole bytes of a length that can be shown', () => {
    const issue = (message: string) => issueOf(signMessage, { account: OWNER, message });
    expect(issue('0x')).toBeUndefined();
    expect(issue(`0x${'aF'.repeat(20_000)}`)).toBeUndefined();
    expect(issue(`0x${'aF'.repeat(20_001)}`)).toBe('message: has more than 20000 bytes');
    for (const message of ['', '41', '0x4', '0x4g', '0x41 ', ' 0x41', '0X41'])
      expect(issue(message)).toBe('message: is not 0x and whole bytes');
    expect(issueOf(signMessage, { message: '0x41' })).toMatch(/^account: /);
    expect(issueOf(signMessage, { account: OWNER, message: '0x41', more: 1 })).toMatch(/^more: /);
  });

  test('may be as long as fits a screen, and may begin with a mark of its byte order', () => {
    expect(messageText(hex('x'.repeat(20_000)), [])).toHaveLength(20_000);
    expect(messageText(hex('x'.repeat(31)), [])).toHaveLength(31);
    expect(messageText(hex('\ufeffHello'), [])).toBe('\ufeffHello');
  });

  test('names in its draft who signs and which host asks; both are shown or signed', async () => {
    const draft = await draftOf('Hello');
    expect(draft).toEqual({ body: { owner: OWNER, message: 'Hello' }, shown: { host: 'site.example' } });
    const { sentence, bound, unbound } = signMessage.review(draft, now);
    expect(sentence).toEqual({ key: 'review_signMessage' });
    expect([bound.map(({ path }) => path), unbound]).toEqual([['owner', 'message'], []]);
  });

  test('is shown whole and signed as it is shown, by the owner', async () => {
    const text = 'Hello, Ana! 👋\nSecond line';
    const draft = await draftOf(text);
    expect(signMessage.review(draft, now).rows).toEqual([
      { label: { key: 'review_message' }, value: { kind: 'document', text } },
      { label: { key: 'review_signedBy' }, value: { kind: 'address', address: OWNER } },
    ]);
    const { bodyText, hash, endpoint } = await signMessage.sign(draft, null, signed, keys);
    expect([endpoint, hash]).toEqual(['none', hashMessage(text)]);
    const { signature } = JSON.parse(bodyText ?? '{}');
    expect(await ownerSignature(hash, signature, OWNER)).toBe(signature);
    expect(signMessage.answer?.({ signedBody: { signature } } as never)).toBe(signature);
  });

  test.each([
    ['bytes that are no text', '0xff00', 'message: is no text; what cannot be shown is not signed'],
    ['nothing', '0x', 'message: is empty'],
    [
      'a digest, which the exchange would take for the request behind it',
      `0x${'41'.repeat(32)}`,
      'message: has the 32 bytes of a digest, which could stand for anything',
    ],
    ['more than fits a screen', hex('x'.repeat(20_001)), 'message: has more than 20000 characters'],
  ])('is refused when it is %s', async (_what, message, problem) => {
    await expect(signMessage.prepare({ account: OWNER as never, message }, facts)).rejects.toThrow(problem);
  });

  const seed = keySeedText(facts.exchangeAddress, 3);
  test.each([
    ['the key text of this exchange', seed],
    ['that of another exchange', keySeedText(FRIEND, 0)],
    ['one inside a longer text', `Welcome!\n\n${seed}\n\nThank you.`],
    ['one spelled as hex', `0x${Buffer.from(seed).toString('hex')}`],
    ['one in letters that look alike', seed.replaceAll('e', 'е')],
    ['one with invisible characters', seed.split('').join('\u200b')],
    ['that of another layer-2 system', 'Access zkSync account.\n\nOnly sign this message for a trusted client!'],
    ['anything that names an exchange of this wallet', `I own ${facts.exchangeAddress}`],
  ])('is refused when it is %s', async (_what, text) => {
    await expect(draftOf(text)).rejects.toThrow('message: reads like a text that account keys are made from');
  });

  const own = 'Welcome to MyFork. Sign to unlock your trading account.';
  const registered = { accountId: ACCOUNT_ID, owner: OWNER, frozen: false, publicKey: pointOf(2), nonce: 1 };
  const naming = (keySeed: string, kept: string[] = []) => ({
    ...factsWith({ getAccount: ({ query }) => query?.accountId === ACCOUNT_ID && { ...registered, keySeed } }),
    keySeeds: async () => kept,
  });
  const prepared = (text: string, given: Facts) =>
    signMessage.prepare({ account: OWNER as never, message: hex(text) }, given);

  test.each([
    ['that the exchange has stored for the account', own, naming(own)],
    ['that is kept with another account of the same key', own, naming('', ['', own])],
    ['in other letters and spaces', ` ${own.toUpperCase()}\n`, naming(own)],
    ['as hex', hex(own), naming(own)],
    ['that is stored as hex', own, naming(hex(own))],
    ['of signs alone', '!!!', naming('!!!')],
  ])('is refused when it is a key text of another client %s', async (_what, text, given) => {
    await expect(prepared(text, given)).rejects.toThrow('message: reads like a text that account keys are made from');
  });

  test.each([
    ['more than a key text', `${own} Thank you.`, naming(own)],
    ['less than one', own.slice(0, -9), naming(own)],
    ['another than the empty one', own, naming('', [''])],
    ['another than one that is longer than any text', own, naming('x'.repeat(20_001))],
  ])('is signed when it is %s', async (_what, text, given) => {
    expect((await prepared(text, given)).body).toEqual({ owner: OWNER, message: text });
  });

  const bank = signIn('bank.example');
  test.each<[string, string, string, string[]]>([
    ['signs in at the site that asks', signIn('site.example'), 'review_signIn', []],
    ['signs in at another site', signIn('bank.example'), 'review_signIn', ['sign-in-elsewhere']],
    ['signs in by a longer address', `https://${signIn('bank.example')}`, 'review_signIn', ['sign-in-elsewhere']],
    ['signs in by another scheme', `a+b.c-9://${signIn('site.example')}`, 'review_signIn', []],
    ['signs in by a scheme in capitals', `HTTPS://${signIn('site.example')}`, 'review_signIn', []],
    ['signs in elsewhere by one', `Https://${signIn('bank.example')}`, 'review_signIn', ['sign-in-elsewhere']],
    ['signs in elsewhere by what is no scheme', `9a://${signIn('bank.example')}`, 'review_signMessage', []],
    ['signs in elsewhere behind blanks', `\n ${signIn('bank.example')}`, 'review_signIn', ['sign-in-elsewhere']],
    ['signs in elsewhere by Windows lines', bank.replaceAll('\n', '\r\n'), 'review_signIn', ['sign-in-elsewhere']],
    ['signs in by web3-token', bank.replace('account:', 'account.'), 'review_signIn', ['sign-in-elsewhere']],
    ['signs in by Reown AppKit', bank.replace('Ethereum', '**blockchain**'), 'review_signIn', ['sign-in-elsewhere']],
    ['signs in as a user', signIn('site.example@bank.example'), 'review_signIn', ['sign-in-elsewhere']],
    ['signs in at a port', signIn('site.example:8443'), 'review_signIn', ['sign-in-elsewhere']],
    ['signs in at an address', signIn('[::1]:8080'), 'review_signIn', ['sign-in-elsewhere']],
    ['signs in by a host in capitals', signIn('SITE.example'), 'review_signIn', []],
    ['speaks of signing in later', `Note: ${signIn('bank.example')}`, 'review_signMessage', []],
    ['names a path', signIn('bank.example/a'), 'review_signMessage', []],
    ['hides a sign of no width', 'a\u200bb', 'review_signMessage', ['text-hides']],
    ['hides a sign of control', 'a\u0007b', 'review_signMessage', ['text-hides']],
    ['turns the reading direction', 'pay \u202e001 to Ana', 'review_signMessage', ['text-hides']],
    ['hides a letter that is drawn as nothing', 'a\u17b4b', 'review_signMessage', ['text-hides']],
    ['hides a selector behind a letter', 'a\ufe0fb', 'review_signMessage', ['text-hides']],
    ['hides one behind a picture', '\u2764\ufe0f\ufe0f', 'review_signMessage', ['text-hides']],
    ['has a picture in colour', 'With \u2764\ufe0f', 'review_signMessage', []],
    ['has a key in colour', '1\ufe0f\u20e3 Log in', 'review_signMessage', []],
    ['hides a selector behind a digit', '1\ufe0f0', 'review_signMessage', ['text-hides']],
    ['has tabs and lines', 'a\tb\r\nc', 'review_signMessage', []],
  ])('that %s is called so', async (_what, text, sentence, rules) => {
    const review = signMessage.review(await draftOf(text), now);
    expect([review.sentence.key, review.warnings.map(({ rule }) => rule)]).toEqual([sentence, rules]);
  });
});

test('every character that is drawn as nothing is hidden', () => {
  const passed: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (/\p{Default_Ignorable_Code_Point}/u.test(character) && !hidesCharacters(`a${character}b`))
      passed.push(code.toString(16));
  }
  expect(passed).toEqual([]);
});

describe('typed data', () => {
  const members = (text: string) =>
    text.split(', ').map((member) => ({ type: member.split(' ')[0] ?? '', name: member.split(' ')[1] ?? '' }));
  const EIP712Domain = members('string name, string version, uint256 chainId, address verifyingContract');
  const domain = { name: 'Votes', version: '1', chainId: facts.chainId, verifyingContract: FRIEND };
  const vote = {
    types: { EIP712Domain, Vote: members('string proposal, bool support, address voter') },
    primaryType: 'Vote',
    domain,
    message: { proposal: 'Build it', support: true, voter: OWNER },
  };
  const asked = (document: unknown) =>
    signTypedData.prepare({ account: OWNER as never, typedData: JSON.stringify(document) }, facts);

  test('is shown value by value and signed as it is shown, by the owner', async () => {
    const draft = await asked(vote);
    const review = signTypedData.review(draft, now);
    expect(review.rows.map(({ label, value }) => [label.values?.path ?? label.key, value])).toEqual([
      ['review_domainName', { kind: 'document', text: 'Votes' }],
      ['review_domainVersion', { kind: 'document', text: '1' }],
      ['review_domainChain', { kind: 'text', text: String(facts.chainId) }],
      ['review_domainContract', { kind: 'address', address: FRIEND, whole: true }],
      [
        { kind: 'document', text: 'proposal' },
        { kind: 'document', text: 'Build it' },
      ],
      [
        { kind: 'document', text: 'support' },
        { kind: 'text', text: 'true' },
      ],
      [
        { kind: 'document', text: 'voter' },
        { kind: 'address', address: OWNER, whole: true },
      ],
      ['review_signedBy', { kind: 'address', address: OWNER }],
    ]);
    expect([review.warnings, review.unbound]).toEqual([[], []]);
    const { bodyText, hash } = await signTypedData.sign(JSON.parse(JSON.stringify(draft)), null, signed, keys);
    expect(hexToBytes(hash.slice(2))).toHaveLength(32);
    expect(await ownerSignature(hash, JSON.parse(bodyText ?? '{}').signature, OWNER)).not.toBeNull();
  });

  const transfer = {
    from: OWNER,
    to: FRIEND,
    tokenID: 1,
    amount: '1',
    feeTokenID: 0,
    maxFee: '1',
    validUntil: now,
    storageID: 1,
  };
  const seed = keySeedText(facts.exchangeAddress, 3);
  const exchange = exchangeDomain(facts.chainId, facts.exchangeAddress);
  test.each([
    ['no JSON', '{', 'typedData: is no JSON'],
    ['for another chain', { ...vote, domain: { ...domain, chainId: 1 } }, 'domain.chainId: is 1, and this site is on'],
    [
      'by an exchange of this wallet',
      { ...vote, domain: { ...domain, verifyingContract: exchange.verifyingContract } },
      'domain.verifyingContract: is an exchange of this wallet',
    ],
    [
      'by an exchange of this wallet in small letters',
      { ...vote, domain: { ...domain, verifyingContract: exchange.verifyingContract.toLowerCase() } },
      'domain.verifyingContract: is an exchange of this wallet',
    ],
    [
      'in the name of the exchange',
      { ...vote, domain: { ...domain, name: ' LOOPRING protocol' } },
      'domain.name: is that of an exchange',
    ],
    [
      'a request of the exchange under another domain',
      {
        types: { EIP712Domain, Transfer: typedDataTypes.Transfer },
        primaryType: 'Transfer',
        domain,
        message: transfer,
      },
      'primaryType: is a request of the exchange protocol',
    ],
    [
      'an exit of a pool',
      {
        types: { EIP712Domain, Leave: typedDataTypes.PoolExit },
        primaryType: 'Leave',
        domain: poolDomain(facts.chainId, 'AMM-LRC-ETH', FRIEND),
        message: { owner: OWNER, burnAmount: '1', burnStorageID: 1, exitMinAmounts: [], fee: '0', validUntil: now },
      },
      'primaryType: is a request of the exchange protocol',
    ],
    ['with a key text inside', { ...vote, message: { ...vote.message, proposal: seed } }, 'message: reads like a text'],
    [
      'with a key text as hex inside',
      { ...vote, message: { ...vote.message, proposal: `0x${Buffer.from(seed).toString('hex')}` } },
      'message: reads like a text',
    ],
    [
      'with a key text in two parts',
      {
        ...vote,
        types: { EIP712Domain, Vote: members('string a, string b') },
        message: { a: 'Sign this message to access Loop', b: 'ring Exchange' },
      },
      'message: reads like a text',
    ],
  ])('is refused when it is %s', async (_what, document, problem) => {
    const typedData = typeof document === 'string' ? document : JSON.stringify(document);
    await expect(signTypedData.prepare({ account: OWNER as never, typedData }, facts)).rejects.toThrow(problem);
  });

  test('is refused for any exchange of this wallet, also for one that the site is not on', async () => {
    const typedData = JSON.stringify({ ...vote, domain: { ...domain, verifyingContract: FRIEND } });
    const both = { ...facts, exchanges: async () => [facts.exchangeAddress, FRIEND.toLowerCase()] };
    await expect(signTypedData.prepare({ account: OWNER as never, typedData }, both)).rejects.toThrow(
      'domain.verifyingContract: is an exchange of this wallet',
    );
  });

  test('is asked for as text of a length that can be shown', () => {
    const issue = (typedData: string) => issueOf(signTypedData, { account: OWNER, typedData });
    expect(issue('x'.repeat(20_000))).toBeUndefined();
    expect(issue('x'.repeat(20_001))).toBe('typedData: has more than 20000 characters');
    expect(issueOf(signTypedData, { account: OWNER, typedData: '', more: 1 })).toMatch(/^more: /);
  });

  test('without a chain or a contract is for any, and a wrong part of it is named', async () => {
    const { chainId: _, verifyingContract: __, ...bareDomain } = domain;
    const anywhere = {
      ...vote,
      types: { ...vote.types, EIP712Domain: members('string name, string version') },
      domain: bareDomain,
    };
    expect((await asked(anywhere)).body.domain).toEqual(bareDomain);
    await expect(asked({ ...vote, message: { ...vote.message, voter: 'me' } })).rejects.toMatchObject({
      ...{
        name: 'IntentError',
        field: 'message.voter',
        message: expect.stringMatching(/^message\.voter: (?!message)/),
      },
    });
    await expect(asked(null)).rejects.toMatchObject({ field: 'typedData' });
  });

  test('is named by its type, and all of it is signed', async () => {
    const draft = await asked(vote);
    const { sentence, bound, rows } = signTypedData.review(draft, now);
    expect(sentence).toEqual({ key: 'review_signTypedData', values: { type: { kind: 'text', text: 'Vote' } } });
    expect(new Set(bound.map(({ path }) => path.split('.')[0]))).toEqual(
      new Set(['owner', 'domain', 'primaryType', 'types', 'message']),
    );
    expect(rows.map(({ section }) => section)).toEqual([...Array(4).fill({ key: 'review_domain' }), ...Array(4)]);
    expect(rows[4]?.label).toEqual({
      key: 'review_typedField',
      values: { path: { kind: 'document', text: 'proposal' }, type: { kind: 'text', text: 'string' } },
    });
    const { endpoint } = await signTypedData.sign(draft, null, signed, keys);
    expect([endpoint, signTypedData.answer?.(submittedWith({ signedBody: { signature: '0x5' } }))]).toEqual([
      ...['none', '0x5'],
    ]);
  });

  test('shows a salt and bytes whole, and what is no text plainly', async () => {
    const salt = `0x${'5'.repeat(64)}`;
    const document = {
      types: {
        EIP712Domain: members('bytes32 salt'),
        Data: members('bytes some, bytes none, uint8 count, Part domainPart'),
        Part: members('string text'),
      },
      ...{ primaryType: 'Data', domain: { salt } },
      message: { some: '0x0102', none: '0x', count: 1, domainPart: { text: 'x' } },
    };
    const { rows } = signTypedData.review(await asked(document), now);
    const values = rows.map(({ label, value }) => [
      (label.values?.path as { text: string } | undefined)?.text ?? label.key,
      value,
    ]);
    expect(values).toEqual(
      expect.arrayContaining([
        ['review_domainSalt', { kind: 'document', text: salt }],
        ['some', { kind: 'document', text: '0x0102' }],
        ['none', { kind: 'text', text: '0x' }],
        ['count', { kind: 'text', text: '1' }],
        ['domainPart.text', { kind: 'document', text: 'x' }],
      ]),
    );
  });

  test('that lets somebody spend, or hides characters, is called so', async () => {
    const permit = {
      ...vote,
      types: { EIP712Domain, Permit: members('address owner, address spender, uint256 value') },
      primaryType: 'Permit',
      message: { owner: OWNER, spender: FRIEND, value: '1' },
    };
    const rules = async (document: unknown) =>
      signTypedData.review(await asked(document), now).warnings.map(({ rule }) => rule);
    expect(await rules(permit)).toEqual(['lets-spend']);
    expect(
      await rules({ ...permit, primaryType: 'Grant', types: { ...permit.types, Grant: permit.types.Permit } }),
    ).toEqual(['lets-spend']);
    expect(await rules({ ...vote, message: { ...vote.message, proposal: 'a\u202eb' } })).toEqual(['text-hides']);
  });

  const bare = (primaryType: string, types: Record<string, string>, message: object) => ({
    types: {
      EIP712Domain,
      ...Object.fromEntries(Object.entries(types).map(([name, text]) => [name, members(text)])),
    },
    primaryType,
    domain,
    message,
  });
  const SAFE =
    'address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce';
  const safe = (operation: number) => ({
    to: FRIEND,
    value: '0',
    data: '0xa9059cbb',
    operation,
    safeTxGas: 0,
    baseGas: 0,
    gasPrice: 0,
    gasToken: FRIEND,
    refundReceiver: FRIEND,
    nonce: 1,
  });
  const details = { token: FRIEND, amount: '1', expiration: 1, nonce: 0 };
  const DETAILS = 'address token, uint160 amount, uint48 expiration, uint48 nonce';

  test.each([
    ['a Safe transaction', bare('SafeTx', { SafeTx: SAFE }, safe(0)), ['wallet-transaction']],
    ['one under another name', bare('Task', { Task: SAFE }, safe(0)), ['wallet-transaction']],
    ['a delegate call of a Safe', bare('SafeTx', { SafeTx: SAFE }, safe(1)), ['wallet-delegatecall']],
    [
      'an ERC-2771 request',
      bare(
        'ForwardRequest',
        { ForwardRequest: 'address from, address to, uint256 value, uint256 gas, uint256 nonce, bytes data' },
        { from: OWNER, to: FRIEND, value: 0, gas: 1, nonce: 1, data: '0x' },
      ),
      ['forwards-call'],
    ],
    [
      'a Polygon meta transaction',
      bare(
        'MetaTransaction',
        { MetaTransaction: 'uint256 nonce, address from, bytes functionSignature' },
        { nonce: 1, from: OWNER, functionSignature: '0xa9059cbb' },
      ),
      ['forwards-call'],
    ],
    ['a root of orders', bare('Root', { Root: 'bytes32 root' }, { root: `0x${'1'.repeat(64)}` }), ['signs-orders']],
    [
      'a tree of Seaport orders',
      bare(
        'BulkOrder',
        { BulkOrder: 'OrderComponents[2] tree', OrderComponents: 'address offerer' },
        {
          tree: [{ offerer: OWNER }, { offerer: OWNER }],
        },
      ),
      ['lets-spend', 'signs-orders'],
    ],
    [
      'permits in a list under another name',
      bare(
        'Batch',
        { Batch: 'PermitDetails[] p, uint256 sigDeadline', PermitDetails: DETAILS },
        { p: [details], sigDeadline: 1 },
      ),
      ['lets-spend'],
    ],
    [
      'permits in an empty list',
      bare('Batch', { Batch: 'PermitDetails[] p', PermitDetails: DETAILS }, { p: [] }),
      ['lets-spend'],
    ],
    [
      'Permit2',
      bare(
        'PermitSingle',
        { PermitSingle: 'PermitDetails details, address spender, uint256 sigDeadline', PermitDetails: DETAILS },
        { details, spender: FRIEND, sigDeadline: 1 },
      ),
      ['lets-spend'],
    ],
    [
      'an ERC-7710 delegation',
      bare('Delegation', { Delegation: 'address delegate, uint256 salt' }, { delegate: FRIEND, salt: 1 }),
      ['delegates-rights'],
    ],
    [
      'a call and an address in a struct that nobody knows',
      bare('Job', { Job: 'address who, Step[] steps', Step: 'bytes what' }, { who: FRIEND, steps: [] }),
      ['carries-call'],
    ],
    ['bytes without an address', bare('Note', { Note: 'bytes what' }, { what: '0x00' }), []],
  ])('%s is called what it is', async (_what, document, rules) => {
    const review = signTypedData.review(await asked(document), now);
    expect(review.warnings.map(({ rule }) => rule)).toEqual(rules);
    for (const { rule, severity } of review.warnings)
      expect([rule, severity]).toEqual([rule, rule === 'carries-call' ? 'notice' : 'danger']);
  });

  test('a message that imitates a domain is not drawn as one, and the parts that are absent are named', async () => {
    const document = {
      types: {
        EIP712Domain: [],
        Login: members('D domain, string note'),
        D: members('string name, address verifyingContract'),
      },
      primaryType: 'Login',
      domain: {},
      message: { domain: { name: 'Uniswap', verifyingContract: FRIEND }, note: 'hello' },
    };
    const { rows } = signTypedData.review(await asked(document), now);
    const none = { kind: 'message', key: 'review_domainNone' };
    expect(rows.filter(({ section }) => section).map(({ label, value }) => [label.key, value])).toEqual([
      ['review_domainName', none],
      ['review_domainChain', none],
      ['review_domainContract', none],
    ]);
    const paths = rows.flatMap(({ label }) => (label.values?.path as { text: string } | undefined)?.text ?? []);
    expect(paths).toEqual(['message.domain.name', 'message.domain.verifyingContract', 'note']);
  });

  test('a member that is called like the domain keeps its whole path, and no other one', async () => {
    const document = {
      types: { EIP712Domain, Login: members('string domain, string subdomain, string domains, string Domain') },
      ...{ primaryType: 'Login', domain, message: { domain: 'a', subdomain: 'b', domains: 'c', Domain: 'd' } },
    };
    const { rows } = signTypedData.review(await asked(document), now);
    const paths = rows.flatMap(({ label }) => (label.values?.path as { text: string } | undefined)?.text ?? []);
    expect(paths).toEqual(['message.domain', 'subdomain', 'domains', 'message.Domain']);
  });

  test('an empty list of a type that is none is refused, because its text enters what is hashed', async () => {
    const merged = 'address owner,uint96 burnAmount,uint32 burnStorageID,uint96[]';
    const document = {
      types: { EIP712Domain, Leave: [{ name: 'exitMinAmounts', type: merged }] },
      primaryType: 'Leave',
      domain,
      message: { exitMinAmounts: [] },
    };
    await expect(asked(document)).rejects.toThrow(`types.Leave.exitMinAmounts: has the unknown type ${merged}`);
  });
});
