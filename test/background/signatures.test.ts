import { privateKeyToAccount } from 'viem/accounts';
import { hashMessage, hashTypedData } from 'viem/utils';
import { beforeEach, expect, test } from 'vitest';
import { keySeedText } from '../../src/protocol/index.ts';
import { ownerSignature } from '../../src/receipts/recoverSigner.ts';
import { createWalletHarness, type PageOutcome, pageSender, type WalletHarness } from '../support/wallet.ts';
import { PASSWORD, question, until } from './support.ts';

const SITE = 'https://site.example';
const EXCHANGE = `0x${'9'.repeat(40)}`;
const FAR_EXCHANGE = `0x${'8'.repeat(40)}`;
const KEY = `0x${'7'.repeat(64)}` as const;
const OWNER = privateKeyToAccount(KEY).address;
const CONTRACT = `0x${'3'.repeat(40)}`;

const KEY_TEXT = 'Welcome to MyFork. Sign to unlock your trading account.';
const OTHER_TEXT = 'Welcome to MyFork. Sign to unlock the account of your contract.';
/** As the relayer has the account; nobody listens at its address. */
const AT_RELAYER = {
  accountId: 1,
  owner: OWNER,
  frozen: false,
  publicKey: { x: '0x1', y: '0x2' },
  nonce: 1,
  keySeed: KEY_TEXT,
};

let wallet: WalletHarness;
let isReached: boolean;
/** Milliseconds; a clock that is set back would hold up what is read from the relayer. */
let later: number;
beforeEach(async () => {
  isReached = true;
  later = 0;
  wallet = createWalletHarness({
    now: () => Date.now() + later,
    fetch: async (input, init) =>
      isReached && String(input) === 'http://127.0.0.1:1/api/v3/account?accountId=1'
        ? Response.json(AT_RELAYER)
        : fetch(input, init),
  });
  await wallet.ui('createVault', { password: PASSWORD });
  const { signer } = await wallet.ui('importSigner', { privateKey: KEY });
  const network = { id: 'net', name: 'Net', baseUrl: 'http://127.0.0.1:1', chainId: 31337, exchangeAddress: EXCHANGE };
  const account = {
    id: 'net:1',
    networkId: 'net',
    accountId: 1,
    owner: OWNER,
    label: 'Main',
    publicKey: { x: `0x${'1'.repeat(64)}`, y: `0x${'2'.repeat(64)}` },
    signer,
    keySeed: '',
  };
  await wallet.background().wallet.config.update((data) => ({
    ...data,
    networks: [network, { ...network, id: 'far', chainId: 5, exchangeAddress: FAR_EXCHANGE }],
    accounts: [account, { ...account, id: 'net:2', owner: CONTRACT }],
    claimed: [
      {
        ...account,
        id: 'far:3',
        networkId: 'far',
        owner: `0x${'4'.repeat(40)}`,
        smart: { kind: 'counterfactual', walletFactory: CONTRACT, walletOwner: OWNER.toLowerCase(), walletSalt: '1' },
        keySeed: OTHER_TEXT,
      },
    ],
  }));
  await wallet.background().wallet.grants.grant(SITE, ['net:1', 'net:2'], ['read', 'sign']);
  await wallet.background().wallet.grants.grant('https://reads.example', ['net:1'], ['read']);
});

async function approved(method: string, params: unknown[]): Promise<PageOutcome> {
  const answer = wallet.page(SITE, method, params);
  const view = await question(wallet);
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  return answer;
}
const signatureOf = (outcome: PageOutcome) => String((outcome as { result: unknown }).result);

const typedData = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Vote: [{ name: 'proposal', type: 'string' }] },
  primaryType: 'Vote',
  domain: { name: 'Votes' },
  message: { proposal: 'Build it' },
};

test.each([
  ['as a text', 'Hello'],
  ['as hex', '0x48656c6c6f'],
])('personal_sign gives the signature of the owner over what was shown, given %s', async (_how, message) => {
  const outcome = await approved('personal_sign', [message, OWNER]);
  expect(await ownerSignature(hashMessage('Hello'), signatureOf(outcome), OWNER)).toBe(signatureOf(outcome));
});

test.each([
  ['as JSON text', JSON.stringify(typedData)],
  ['as an object', typedData],
])('eth_signTypedData_v4 gives the signature of the owner over what was shown, given %s', async (_how, document) => {
  const outcome = await approved('eth_signTypedData_v4', [OWNER.toLowerCase(), document]);
  expect(await ownerSignature(hashTypedData(typedData as never), signatureOf(outcome), OWNER)).toBe(
    signatureOf(outcome),
  );
});

test('a signature stands in the activity list, over, with its sentence', async () => {
  await approved('personal_sign', ['Log in', OWNER]);
  await expect
    .poll(() => wallet.ui('getActivity', { limit: 1 }))
    .toMatchObject([
      {
        operation: 'signMessage',
        status: 'processed',
        sentence: { key: 'review_signMessage' },
        hash: hashMessage('Log in'),
      },
    ]);
});

test('a signature whose end could not be written was not given up: the page has it', async () => {
  const { journal, submissions } = wallet.background().wallet;
  const { markFinal } = journal;
  Object.assign(journal, { markFinal: () => Promise.reject(new Error('the disk is full')) });
  const outcome = await approved('personal_sign', ['Later', OWNER]);
  expect(signatureOf(outcome)).toMatch(/^0x/);
  const [record] = await journal.list();
  const id = record?.id ?? '';
  // Its turn comes when the answer is over.
  await expect(submissions.abandon(id)).rejects.toMatchObject({ code: 'already-sent' });
  Object.assign(journal, { markFinal });
  expect((await journal.get(id))?.state).toBe('signed');
  later += 121_000;
  const checked = await submissions.check(id);
  expect(checked.state).toBe('processed');
});

test('a no is a no', async () => {
  const answer = wallet.page(SITE, 'personal_sign', ['Hello', OWNER]);
  await wallet.ui('reject', { id: (await question(wallet)).id, block: false });
  expect(await answer).toMatchObject({ error: { code: 4001 } });
});

const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`;
test.each([
  ['the key text of this network', 'personal_sign', [keySeedText(EXCHANGE, 0), OWNER], -32602],
  ['the key text of another network', 'personal_sign', [keySeedText(FAR_EXCHANGE, 7), OWNER], -32602],
  ['a key text as hex', 'personal_sign', [hex(keySeedText(EXCHANGE, 0)), OWNER], -32602],
  ['a key text as hex of hex', 'personal_sign', [hex(hex(keySeedText(EXCHANGE, 0))), OWNER], -32602],
  ['a key text of another client', 'personal_sign', [KEY_TEXT, OWNER], -32602],
  ['a key text of another client as hex', 'personal_sign', [hex(hex(KEY_TEXT)), OWNER], -32602],
  ['that of another account that the same key signs for', 'personal_sign', [OTHER_TEXT, OWNER], -32602],
  ['a digest', 'personal_sign', [`0x${'41'.repeat(32)}`, OWNER], -32602],
  ['parameters the other way round', 'personal_sign', [OWNER, 'Hello'], -32602],
  ['no parameters', 'personal_sign', [], -32602],
  [
    'a key text inside typed data',
    'eth_signTypedData_v4',
    [OWNER, { ...typedData, message: { proposal: keySeedText(FAR_EXCHANGE, 0) } }],
    -32602,
  ],
  [
    'the domain of an exchange of another network',
    'eth_signTypedData_v4',
    [
      OWNER,
      {
        ...typedData,
        types: { ...typedData.types, EIP712Domain: [{ name: 'verifyingContract', type: 'address' }] },
        domain: { verifyingContract: FAR_EXCHANGE },
      },
    ],
    -32602,
  ],
  ['an account that it does not see', 'personal_sign', ['Hello', EXCHANGE], 4100],
  ['an account whose layer-1 key is elsewhere', 'personal_sign', ['Hello', CONTRACT], 4200],
  ['the old method that signs digests', 'eth_sign', [OWNER, `0x${'41'.repeat(32)}`], 4200],
])('a site is refused %s, and nobody is asked', async (_what, method, params, code) => {
  expect(await wallet.page(SITE, method, params)).toMatchObject({ error: { code } });
  expect(await wallet.ui('listApprovals', {})).toEqual([]);
});

test('a key text is refused before it is a request of the site', async () => {
  const requests = async () => (await wallet.page(SITE, 'relayer_getRequests')) as { result: unknown[] };
  const before = await requests();
  for (const text of [keySeedText(FAR_EXCHANGE, 7), `0x${'41'.repeat(32)}`])
    expect(await wallet.page(SITE, 'personal_sign', [text, OWNER])).toMatchObject({ error: { code: -32602 } });
  const document = { ...typedData, message: { proposal: keySeedText(FAR_EXCHANGE, 0) } };
  expect(await wallet.page(SITE, 'eth_signTypedData_v4', [OWNER, document])).toMatchObject({ error: { code: -32602 } });
  expect(await requests()).toEqual(before);
});

test('texts are not signed by the key of another extension’s wallet', async () => {
  const { config } = wallet.background().wallet;
  await config.update((data) => ({
    ...data,
    signers: data.signers.map((one) => ({ ...one, kind: 'external' as const })),
  }));
  expect(await wallet.page(SITE, 'personal_sign', ['Hello', OWNER])).toMatchObject({ error: { code: 4200 } });
});

test('a text waits until the relayer has been asked whether it is a key text', async () => {
  isReached = false;
  const answer = wallet.page(SITE, 'personal_sign', ['Hello', OWNER]);
  const { id, digest, problem } = await question(wallet, 'unavailable');
  expect([digest, problem?.key]).toEqual([null, 'error_relayerUnreachable']);
  isReached = true;
  expect(await wallet.ui('retryApproval', { id })).toMatchObject({ stage: 'ready', problem: null });
  await wallet.ui('reject', { id, block: false });
  expect(await answer).toMatchObject({ error: { code: 4001 } });
});

test('a site without the permission asks for it first, for the account that it named', async () => {
  const answer = wallet.page('https://reads.example', 'personal_sign', ['Hello', OWNER]);
  const { id, connect } = await question(wallet);
  expect([connect?.kinds, connect?.accounts.map(({ owner }) => owner), connect?.hasNext]).toEqual([
    ['sign'],
    [OWNER],
    true,
  ]);
  await wallet.ui('reject', { id, block: false });
  expect(await answer).toMatchObject({ error: { code: 4001 } });
});

test('capabilities say whether texts can be signed here', async () => {
  const { result } = (await wallet.page(SITE, 'wallet_getCapabilities')) as { result: Record<string, object> };
  expect(result['0x7a69']).toMatchObject({
    layer1Signatures: {
      supported: true,
      methods: [
        { name: 'personal_sign', permission: 'relayer_sign' },
        { name: 'eth_signTypedData_v4', permission: 'relayer_sign' },
      ],
    },
  });
});

test.each([undefined, null, [], [{}]])('reads take the parameters %j like none', async (params) => {
  // Nobody listens at this relayer; that it is asked shows that the parameters were taken.
  expect(await wallet.page(SITE, 'relayer_getTimestamp', params)).toMatchObject({ error: { code: 4900 } });
});

test.each([[[undefined]], [[null]], [[5]], [['x']], [[{}, {}]]])(
  'reads refuse the parameters %j by name',
  async (params) => {
    expect(await wallet.page(SITE, 'relayer_getTimestamp', params)).toEqual({
      error: { code: -32602, message: 'params: is no object with named parameters; leave it out when there are none' },
    });
  },
);

test('a page that asks again while nobody can read whether its site is blocked waits, and then hears its answer', async () => {
  const { local } = wallet.ports;
  let isShut = false;
  const get = async (key: string) => (isShut && key === 'sites' ? Promise.reject(new Error('shut')) : local.get(key));
  Object.assign(wallet.ports, { local: { ...local, get } });
  wallet.restart();
  await wallet.ui('unlock', { password: PASSWORD });
  const id = crypto.randomUUID();
  const ask = { type: 'page', id, method: 'personal_sign', params: ['Wait', OWNER], documentId: id };
  await wallet.message(ask, pageSender(SITE));
  const view = await question(wallet);
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  await until(async () => (await wallet.ui('getApproval', { id: view.id })).stage === 'done');
  isShut = true;
  expect(await wallet.message(ask, pageSender(SITE))).toEqual({ later: true });
  isShut = false;
  expect(await wallet.message(ask, pageSender(SITE))).toMatchObject({ id, result: expect.stringMatching(/^0x/) });
});

/** The click, and the worker is stopped in the write that ends the approval. */
async function stopAtTheAnswer(text: string) {
  const answer = wallet.page(SITE, 'personal_sign', [text, OWNER]);
  const { id, digest, account } = await question(wallet);
  const { approvals } = wallet.background().wallet;
  const answering = new Promise<void>((done) => {
    Object.assign(approvals, {
      settle: () => {
        done();
        return new Promise(() => {});
      },
    });
  });
  void wallet.uiAnswer('approve', { id, digest: digest ?? '', account: account?.id ?? null });
  await answering;
  expect((await newest())?.state).toBe('signed');
  wallet.stop();
  return { id, answer };
}

async function unlockAfter(ms: number, before?: () => unknown) {
  later += ms;
  await wallet.ports.session.remove(['vault:session:key', 'vault:session:deadline']);
  wallet.restart();
  await before?.();
  await wallet.ui('unlock', { password: PASSWORD });
}
const newest = async () => (await wallet.background().wallet.journal.list())[0];

test('a signature that was not answered goes to the page after an unlock within two minutes', async () => {
  const { answer } = await stopAtTheAnswer('Soon');
  await unlockAfter(60_000);
  const outcome = await answer;
  expect(await ownerSignature(hashMessage('Soon'), signatureOf(outcome), OWNER)).toBe(signatureOf(outcome));
  await expect.poll(async () => (await newest())?.state).toBe('processed');
});

test('a signature that was not answered within two minutes never goes to the page: the user is asked again', async () => {
  const { id, answer } = await stopAtTheAnswer('Much later');
  await unlockAfter(3_600_000);
  const again = await question(wallet);
  expect(again).toMatchObject({ id, again: { key: 'again_late' } });
  expect(await newest()).toMatchObject({ state: 'abandoned' });
  await wallet.ui('reject', { id, block: false });
  expect(await answer).toMatchObject({ error: { code: 4001 } });
});

test('a signature that was not answered in time never goes to the page when its next run fails earlier', async () => {
  const { id, answer } = await stopAtTheAnswer('Exchange away');
  await unlockAfter(3_600_000, () => {
    const settle = () => Promise.reject(new Error('the exchange is away'));
    Object.assign(wallet.background().wallet.keyUpdate, { settle });
  });
  expect(await question(wallet)).toMatchObject({ id, again: { key: 'again_late' } });
  expect(await newest()).toMatchObject({ state: 'abandoned' });
  await wallet.ui('reject', { id, block: false });
  expect(await answer).toMatchObject({ error: { code: 4001 } });
});

test('a signature that the user gives up is not made again under the same click', async () => {
  const { id, answer } = await stopAtTheAnswer('Given up');
  await unlockAfter(61_000, async () => {
    const [item] = await wallet.ui('getAttention', { refresh: false });
    expect(item).toMatchObject({ actions: ['check', 'abandon'] });
    await wallet.ui('repair', { id: item?.id ?? '', action: 'abandon' });
  });
  expect(await answer).toMatchObject({ error: { code: 4001 } });
  expect(await wallet.ui('getApproval', { id })).toMatchObject({ stage: 'closed' });
  expect(await newest()).toMatchObject({ state: 'abandoned' });
});

test('a signature that is given up while it goes to the page is with its page', async () => {
  const { approvals, submissions } = wallet.background().wallet;
  const { settle } = approvals;
  let givenUp: Promise<unknown> = Promise.resolve();
  Object.assign(approvals, {
    async settle(...given: Parameters<typeof settle>) {
      givenUp = submissions.abandon((await newest())?.id ?? '').catch((error: unknown) => error);
      await Promise.race([givenUp, new Promise((resolve) => setTimeout(resolve, 100))]);
      return settle(...given);
    },
  });
  expect(signatureOf(await approved('personal_sign', ['Both at once', OWNER]))).toMatch(/^0x/);
  expect(await givenUp).toMatchObject({ code: 'already-sent' });
  await expect.poll(newest).toMatchObject({ state: 'processed' });
});

test('the status of a signature is told once, after its answer', async () => {
  await approved('personal_sign', ['In order', OWNER]);
  const heard = () =>
    wallet.pushed.flatMap(({ message }) => {
      if ('id' in message) return ['answer'];
      const { type, data } = message.data as { type?: string; data?: { status: string } };
      return type === 'relayer_status' ? [data?.status] : [];
    });
  await until(async () => heard().includes('processed'));
  expect(heard()).toEqual(['answer', 'processed']);
});

test('a signature whose answer could not be written never goes to the page after a late unlock', async () => {
  const { approvals } = wallet.background().wallet;
  const { settle } = approvals;
  const failed = new Promise<void>((done) => {
    Object.assign(approvals, {
      settle: () => {
        done();
        return Promise.reject(new Error('the disk is full'));
      },
    });
  });
  const answer = wallet.page(SITE, 'personal_sign', ['Full disk', OWNER]);
  const { id, digest, account } = await question(wallet);
  await wallet.uiAnswer('approve', { id, digest: digest ?? '', account: account?.id ?? null });
  await failed;
  await wallet.ui('lock', {});
  Object.assign(approvals, { settle });
  later += 3_600_000;
  await wallet.ui('unlock', { password: PASSWORD });
  expect(await question(wallet)).toMatchObject({ id, again: { key: 'again_late' } });
  await wallet.ui('reject', { id, block: false });
  expect(await answer).toMatchObject({ error: { code: 4001 } });
});
