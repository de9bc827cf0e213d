import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { describe, expect, test, vi } from 'vitest';
import { activityItem } from '../../src/background/rpc/ui/activityItem.ts';
import { isHandedOver } from '../../src/background/submissions/submissionRecord.ts';
import { createSubmissions } from '../../src/background/submissions/submissions.ts';
import { createRelayerClient, type RelayerClient, RelayerClientError } from '../../src/client/index.ts';
import { keys, transact } from '../../src/journal/database.ts';
import {
  createJournal,
  type Journal,
  type SubmissionDraft,
  type SubmissionRecord,
  statusOf,
} from '../../src/journal/index.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { answers } from '../../src/protocol/examples.ts';
import { listenForReports } from '../../src/report/report.ts';
import { createStores } from '../../src/storage/stores.ts';
import { refusal, until } from './support.ts';

globalThis.IDBKeyRange ??= IDBKeyRange;

/**
 * What a submission ends as, for whatever a relayer answers: only a false relayer gives most of
 * these answers.
 */
const START = 1_800_000_000_000;
const END_SECONDS = START / 1000 + 600;
/** The relayer may take a request so long after its end, by its clock. */
const GRACE_MS = 120_000;
const LAST = END_SECONDS * 1000 + GRACE_MS;
const DAY = 86_400_000;
const HASH = `0x${'0a'.repeat(32)}`;
const URL_OF_RELAYER = 'https://relayer.example';

type Answer = Response | 'lost';
type Wire = Parameters<Journal['markSigned']>[1]['wire'];
const taken = (changes: object = {}) =>
  Response.json({ hash: HASH, status: 'processing', isIdempotent: false, ...changes });
const row = (status: string) => ({
  ...{ id: 1, hash: HASH, txType: 'TRANSFER', symbol: 'LRC', amount: '1', feeTokenSymbol: 'ETH', feeAmount: '1' },
  ...{ status, progress: '0%', timestamp: START, updatedAt: START, blockId: 0, indexInBlock: 0 },
});
const ADDRESS = `0x${'c'.repeat(40)}`;
const transferOf = (id: string, changes: object = {}): string =>
  JSON.stringify({
    ...{ exchange: ADDRESS, payerId: 1, payerAddr: ADDRESS, payeeId: 0, payeeAddr: ADDRESS, storageId: 1 },
    ...{ token: { tokenId: 1, volume: '1' }, maxFee: { tokenId: 0, volume: '1' } },
    ...{ validUntil: END_SECONDS, clientId: id, ...changes },
  });
const keyUpdate = { owner: ADDRESS, publicKey: { x: HASH, y: HASH }, nonce: 1, validUntil: END_SECONDS };
const keyUpdateWire = {
  endpoint: 'updateAccount',
  bodyText: JSON.stringify({
    ...{ exchange: ADDRESS, accountId: 1, maxFee: { tokenId: 0, volume: '1' }, ...keyUpdate },
  }),
};
const cancellation = {
  ...{ endpoint: 'cancelOrder', query: { accountId: 1, orderHash: HASH }, bodyText: undefined, signature: '0x1' },
};

/** A journal and submissions over a real client; a test writes what the relayer answers. */
function stage(isQueueHeld = false) {
  const clock = { wallet: START, relayer: START };
  let spent = 0;
  const relayer = {
    /** Answers to what is posted, the last one again and again. */
    posts: [taken] as (() => Answer)[],
    /** Status of the transfer in the list, one a look; `null`: not listed, `lost`: no answer. */
    looks: [null] as (string | null)[],
    isClockRead: true,
    hasApiKey: true,
    /** Code with which a log-in for an API key is refused; `null`: it gives another key. */
    login: 104_001 as number | null,
    /** What keeps the API key from being read, when it is not the relayer. */
    keyFailure: null as Error | null,
    /** Nonce and key that it reports for the account; `null`: it knows no such account. */
    account: { nonce: 1, publicKey: { x: '', y: '' } } as object | null,
    onLook: () => {},
    posted: [] as string[],
    looked: 0,
  };
  const next = <T>(list: T[]): T => (list.length > 1 ? list.shift() : list[0]) as T;
  const fetch = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const { pathname } = new URL(String(input));
    const answer = (() => {
      if (pathname === '/api/v3/timestamp')
        return relayer.isClockRead ? Response.json({ timestamp: clock.relayer }) : ('lost' as const);
      if (pathname === '/api/v3/apiKey')
        return relayer.login === null ? Response.json({ apiKey: 'another' }) : refusal(relayer.login);
      if (pathname === '/api/v3/account' && init?.method === 'GET')
        return relayer.account
          ? Response.json({ accountId: 1, owner: ADDRESS, frozen: false, keySeed: '', ...relayer.account })
          : refusal(101_002);
      if (init?.method === 'POST' || init?.method === 'DELETE') {
        relayer.posted.push(String(init.body ?? pathname));
        return next(relayer.posts)();
      }
      relayer.looked += 1;
      relayer.onLook();
      const status = next(relayer.looks);
      if (status === 'lost') return status;
      if (relayer.account === null || 'owner' in relayer.account) return refusal(104_002);
      if (pathname === '/api/v3/order')
        return status === null
          ? refusal(107_003)
          : Response.json({ ...answers.getOrder, accountId: 1, hash: HASH, status });
      return Response.json({ totalNum: status ? 1 : 0, transactions: status ? [row(status)] : [] });
    })();
    if (answer === 'lost') throw new TypeError('Failed to fetch');
    return answer;
  };
  const client = createRelayerClient({
    baseUrl: URL_OF_RELAYER,
    fetch: fetch as typeof globalThis.fetch,
    now: () => spent,
    sleep: async (ms) => {
      if (isQueueHeld) await new Promise(() => {});
      spent += ms;
    },
  });
  /** On whose behalf the relayer was read. */
  const purposes: string[] = [];
  const noted = {
    ...client,
    getTransfers: (request: Parameters<RelayerClient['getTransfers']>[0]) => {
      purposes.push([request.priority, request.origin].join(' '));
      return client.getTransfers(request);
    },
  };
  const store = createStores('journal', 'entries', new IDBFactory()).strict;
  const journal = createJournal({
    store,
    exchangeOf: async (id) => ({ id, networkIds: [id] }),
    now: () => clock.wallet,
    uuid: () => crypto.randomUUID(),
    history: { isHandedOver },
  });
  /** What happens while the API key is asked for. */
  const beforeKey: (() => void)[] = [];
  const pauses: number[] = [];
  const changed: string[] = [];
  const closed: string[] = [];
  const known = { network: true, account: true, isAnswered: false, publicKey: { x: '0x1', y: '0x2' } };
  const accountNamed = async (id: string) =>
    known.account && id === 'net:1' ? { id, accountId: 1, owner: ADDRESS, publicKey: known.publicKey } : undefined;
  const signed = new Map<string, SubmissionRecord>();
  const create = () => {
    const submissions = createSubmissions({
      clock: {
        now: () => clock.wallet,
        sleep: async (ms) => {
          pauses.push(ms);
        },
      },
      journal,
      config: {
        place: async (id: string) => ({
          account: await accountNamed(id),
          network: known.network ? { id: 'net', baseUrl: URL_OF_RELAYER } : undefined,
        }),
        account: accountNamed,
      } as never,
      relayers: { client: ({ baseUrl }: { baseUrl: string }) => (baseUrl === URL_OF_RELAYER ? noted : null) } as never,
      accountKeys: {
        withApiKey: async (_account: unknown, _network: unknown, call: (apiKey: string) => unknown) => {
          beforeKey.shift()?.();
          if (relayer.keyFailure) throw relayer.keyFailure;
          const login = () => client.getApiKey({ query: { accountId: 1 }, signature: '0x' });
          if (!relayer.hasApiKey) return login();
          try {
            return await call('key');
          } catch (error) {
            // A key that the relayer no longer knows is asked for anew.
            if ((error as RelayerClientError).relayerCode === 104_002) return call((await login()).apiKey);
            throw error;
          }
        },
      } as never,
      requests: {
        isAnswered: async () => known.isAnswered,
        close: async ({ state }) => {
          closed.push(state);
        },
        changed: async ({ state }) => {
          changed.push(state);
        },
      },
    });
    /** Right after its signature. */
    const send = (id: string) => submissions.send(signed.get(id) as SubmissionRecord);
    return { ...submissions, send };
  };
  async function sign(changes: Partial<SubmissionDraft> = {}, wire: Partial<Wire> = {}, hash: string | null = HASH) {
    const { id } = await journal.reserve(
      {
        ...{ networkId: 'net', accountId: 1, origin: 'https://site.example', requestId: crypto.randomUUID() },
        ...{ operation: 'transfer', draft: {}, reviewDigest: '0x1', validUntil: END_SECONDS, ...changes },
      },
      changes.operation ? {} : { slot: { tokenId: 1, parity: 'offchain', nextFromRelayer: 1 } },
    );
    const sent = { endpoint: 'submitTransfer', bodyText: transferOf(id), ...wire };
    signed.set(id, await journal.markSigned(id, { wire: sent, ...(hash === null ? {} : { hash }) }));
    return id;
  }
  const both = (time: number) => Object.assign(clock, { wallet: time, relayer: time });
  return {
    clock,
    both,
    relayer,
    purposes,
    journal,
    store,
    pauses,
    changed,
    closed,
    beforeKey,
    known,
    create,
    submissions: create(),
    sign,
  };
}

const reservedOnly = (requestId: string): SubmissionDraft => ({
  ...{ networkId: 'net', accountId: 1, origin: 'https://site.example', requestId },
  ...{ operation: 'transfer', draft: {}, reviewDigest: '0x1' },
});
const notesOf = ({ history }: SubmissionRecord) => history.flatMap(({ note }) => note ?? []).join(' · ');

describe('an answer to the only copy', () => {
  test('that takes it is final only when it says so, and whoever waits is told once', async () => {
    const { relayer, submissions, sign, changed, pauses } = stage();
    expect(await submissions.send(await sign())).toMatchObject({ state: 'acknowledged', ack: { hash: HASH } });
    relayer.posts = [() => taken({ status: 'processed' })];
    expect((await submissions.send(await sign())).state).toBe('processed');
    expect(relayer.posted).toHaveLength(2);
    // What was just signed is nowhere yet, and goes at once.
    expect(relayer.looked).toBe(0);
    expect(pauses).toEqual([]);
    expect(changed).toEqual(['acknowledged', 'processed']);
  });

  test.each([
    ['another hash', { hash: `0x${'0b'.repeat(32)}` }, true],
    ['no hash that can be read', { hash: '0x0' }, true],
    ['the signed hash without its leading zero', { hash: `0xA${HASH.slice(4).toUpperCase()}` }, false],
  ])('that names %s is noted when it is another', async (_title, changes, isNoted) => {
    const { relayer, submissions, sign } = stage();
    relayer.posts = [() => taken(changes)];
    const record = await submissions.send(await sign());
    expect(notesOf(record).includes(`the relayer reports the hash ${changes.hash}, the signed one is ${HASH}`)).toBe(
      isNoted,
    );
    relayer.looks = ['processed'];
    expect(notesOf(await submissions.check(record.id)).includes('the relayer reports the hash')).toBe(isNoted);
  });

  test.each([
    [102_030, 'STORAGE_ID_INVALID'],
    [104_005, 'SIGNATURE_WRONG'],
    [199_999, undefined],
  ])('that refuses it with code %i is a refusal once the list does not have it', async (code, name) => {
    const { pauses, relayer, submissions, journal, sign } = stage();
    relayer.posts = [() => refusal(code)];
    const record = await submissions.send(await sign());
    expect(record.state).toBe('refused');
    expect(record.error?.code).toBe(code);
    expect(record.error?.name).toBe(name);
    expect('name' in (record.error ?? {})).toBe(name !== undefined);
    expect(relayer).toMatchObject({ posted: { length: 1 }, looked: 1 });
    // Whoever waits is told without any pause.
    expect(pauses).toEqual([]);
    expect(await journal.watched()).toHaveLength(1);
  });

  test('that refuses it is overruled by a list that has it', async () => {
    const { relayer, submissions, sign } = stage();
    relayer.posts = [() => refusal(102_011)];
    relayer.looks = ['received'];
    expect((await submissions.send(await sign())).state).toBe('acknowledged');
  });

  test('that refuses it is no refusal while the list cannot be read, and one without another copy once it can', async () => {
    const { relayer, submissions, sign } = stage();
    relayer.posts = [() => refusal(102_011)];
    relayer.looks = ['lost'];
    const id = await sign();
    expect((await submissions.send(id)).state).toBe('sent');
    relayer.looks = [null];
    expect((await submissions.check(id)).state).toBe('refused');
    expect(relayer.posted).toHaveLength(1);
  });

  test.each([
    ['a refusal without a code', () => new Response('no', { status: 403 })],
    ['a refusal after which the same bytes may go again', () => refusal(100_000)],
    ['silence', () => 'lost' as const],
  ])(
    '%s leaves it unknown after three sends of the same bytes, which are looked up before each repeat',
    async (_t, post) => {
      const { relayer, submissions, sign, pauses, changed } = stage();
      relayer.posts = [post];
      const record = await submissions.send(await sign());
      expect(record).toMatchObject({ state: 'sent', sends: 3 });
      expect(pauses).toEqual([1_000, 3_000]);
      expect(relayer.posted).toHaveLength(3);
      expect(new Set(relayer.posted).size).toBe(1);
      // Once before each repeat: what is no refusal is not looked for besides.
      expect(relayer.looked).toBe(2);
      expect(changed).toEqual(['sent']);
    },
  );

  test('a contract’s hash that is not approved yet is refused for nobody: the bytes go again at the next look', async () => {
    const { relayer, submissions, sign } = stage();
    relayer.posts = [() => refusal(104_005)];
    const id = await sign({}, { bodyText: transferOf('', { hashApproved: HASH }) });
    expect((await submissions.send(id)).state).toBe('sent');
    expect(relayer.posted).toHaveLength(1);
    relayer.posts = [taken];
    expect((await submissions.check(id)).state).toBe('acknowledged');
    expect(relayer.posted).toHaveLength(2);
  });

  test('another refusal is one also after copies that came before the contract had approved the hash', async () => {
    const { relayer, submissions, sign } = stage();
    relayer.posts = [() => refusal(104_005), () => refusal(104_005), () => refusal(114_002)];
    const id = await sign({}, { bodyText: transferOf('', { hashApproved: HASH }) });
    await submissions.send(id);
    expect(await submissions.check(id)).toMatchObject({ state: 'sent', sends: 0 });
    expect(await submissions.check(id)).toMatchObject({ state: 'refused', error: { code: 114_002 } });
  });

  test('but not after a copy without an answer, which may have come when the hash was approved', async () => {
    const { relayer, submissions, sign } = stage();
    relayer.posts = [() => 'lost', () => refusal(104_005), () => refusal(114_002)];
    const id = await sign({}, { bodyText: transferOf('', { hashApproved: HASH }) });
    expect(await submissions.send(id)).toMatchObject({ state: 'sent', sends: 1 });
    for (let i = 0; i < 2; i++) expect((await submissions.check(id)).state).toBe('sent');
  });

  test('another refusal of a request that a contract approves is one', async () => {
    const { relayer, submissions, sign } = stage();
    relayer.posts = [() => refusal(102_011)];
    const id = await sign({}, { bodyText: transferOf('', { hashApproved: HASH }) });
    expect((await submissions.send(id)).state).toBe('refused');
  });

  test.each([
    ['transfer', 'refused', [() => refusal(104_005)]],
    ['transfer', 'sent', [() => 'lost' as const, () => refusal(104_005)]],
    ['updateAccountKey', 'sent', [() => refusal(104_005)]],
  ])('a contract’s hash in a %s is %s once the account has another key', async (operation, state, posts) => {
    const { known, relayer, submissions, sign } = stage();
    relayer.posts = posts;
    const publicKey = { x: '0x01', y: '0x02' };
    const bodyText = JSON.stringify({ ...JSON.parse(keyUpdateWire.bodyText), hashApproved: HASH });
    const id = await (operation === 'transfer'
      ? sign({ publicKey }, { bodyText: transferOf('', { hashApproved: HASH }) })
      : sign({ publicKey, operation, draft: keyUpdate }, { ...keyUpdateWire, bodyText }));
    await submissions.send(id);
    expect((await submissions.check(id)).state).toBe('sent');
    known.publicKey = { x: '0x3', y: '0x4' };
    const posted = relayer.posted.length;
    expect((await submissions.check(id)).state).toBe(state);
    if (state === 'refused') expect(relayer.posted).toHaveLength(posted);
  });

  test('a failure of the wallet itself is thrown, and what left stays unknown', async () => {
    const { journal, pauses, relayer, submissions, sign } = stage();
    const id = await sign();
    relayer.keyFailure = new Error('the vault is locked');
    await expect(submissions.send(id)).rejects.toThrow('the vault is locked');
    expect((await journal.get(id))?.state).toBe('signed');
    relayer.keyFailure = null;
    relayer.posts = [
      () => {
        relayer.keyFailure = new Error('locked meanwhile');
        return refusal(102_011);
      },
    ];
    await expect(submissions.send(id)).rejects.toThrow('locked meanwhile');
    expect(await journal.get(id)).toMatchObject({ state: 'sent', error: { code: 102_011 } });
    expect(pauses).toEqual([]);
  });
});

describe('after a send without an answer', () => {
  async function unanswered() {
    const all = stage();
    const id = await all.sign();
    all.relayer.posts = [() => 'lost', () => refusal(102_030)];
    expect((await all.submissions.send(id)).state).toBe('sent');
    return { ...all, id };
  }

  test('no refusal of a repeat is one, until both clocks are past its end', async () => {
    const { both, clock, relayer, submissions, id } = await unanswered();
    both(LAST);
    expect((await submissions.check(id)).state).toBe('sent');
    clock.wallet = LAST + 1;
    expect((await submissions.check(id)).state).toBe('sent');
    Object.assign(clock, { wallet: LAST, relayer: LAST + 1 });
    expect((await submissions.check(id)).state).toBe('sent');
    both(LAST + 1);
    relayer.isClockRead = false;
    expect((await submissions.check(id)).state).toBe('sent');
    relayer.isClockRead = true;
    const posted = relayer.posted.length;
    const record = await submissions.check(id);
    expect(record.state).toBe('expired');
    expect(notesOf(record)).toContain('unknown to the relayer after its expiry');
    expect(relayer.posted).toHaveLength(posted);
  });

  test('what is listed ends as the list says', async () => {
    const { relayer, submissions, id } = await unanswered();
    relayer.looks = ['failed'];
    expect(await submissions.check(id)).toMatchObject({ state: 'failed', ack: { status: 'failed', hash: HASH } });
  });

  test('what is listed only after the clocks were read is not expired', async () => {
    const { both, relayer, submissions, id } = await unanswered();
    both(LAST + 1);
    relayer.looks = [null, 'processed'];
    expect((await submissions.check(id)).state).toBe('processed');
  });
});

test('a request without an end of its own is sent again for a day', async () => {
  const { both, relayer, submissions, sign } = stage();
  const id = await sign({ operation: 'cancelOrder', validUntil: undefined }, cancellation, null);
  relayer.posts = [() => 'lost'];
  await submissions.send(id);
  both(START + DAY);
  const posted = relayer.posted.length;
  expect((await submissions.check(id)).state).toBe('sent');
  expect(relayer.posted.length).toBeGreaterThan(posted);
  both(START + DAY + 1);
  expect((await submissions.check(id)).state).toBe('expired');
});

describe('while no API key can be had', () => {
  test('nothing leaves, and the journal says so; a later look sends it', async () => {
    const { relayer, submissions, sign } = stage();
    relayer.hasApiKey = false;
    const id = await sign();
    expect(await submissions.send(id)).toMatchObject({ state: 'signed', error: { outcome: 'not-sent' } });
    expect(relayer.posted).toHaveLength(0);
    relayer.hasApiKey = true;
    expect((await submissions.check(id)).state).toBe('acknowledged');
  });

  test('what was sent before keeps the reason why it has no answer', async () => {
    const { relayer, submissions, sign } = stage();
    relayer.posts = [() => 'lost'];
    const id = await sign();
    const { error } = await submissions.send(id);
    relayer.onLook = () => {
      relayer.hasApiKey = false;
    };
    const posted = relayer.posted.length;
    expect((await submissions.check(id)).error).toEqual(error);
    expect(relayer.posted).toHaveLength(posted);
  });

  test('a refusal of the log-in after that of the bytes is no refusal of the bytes, which go again', async () => {
    const { relayer, submissions, sign } = stage();
    // The key is void, and the log-in for a new one is answered with an unknown error.
    relayer.posts = [() => refusal(104_002)];
    relayer.login = 100_000;
    const id = await sign();
    expect(await submissions.send(id)).toMatchObject({ state: 'sent', error: { code: 100_000, outcome: 'refused' } });
    relayer.posts = [taken];
    expect((await submissions.check(id)).state).toBe('acknowledged');
  });

  test('what leaves again with another key is one copy, of which a refusal is the end', async () => {
    const { relayer, submissions, sign } = stage();
    relayer.login = null;
    relayer.posts = [() => refusal(104_002), () => refusal(102_011)];
    expect(await submissions.send(await sign())).toMatchObject({ state: 'refused', sends: 1 });
    expect(relayer.posted).toHaveLength(2);
  });

  test('a long reason is kept in short', async () => {
    const { relayer, submissions, sign } = stage();
    const details = { kind: 'transport', outcome: 'not-sent', endpoint: 'getApiKey' } as const;
    relayer.keyFailure = new RelayerClientError('x'.repeat(5_000), details);
    expect((await submissions.send(await sign())).error?.message).toBe('x'.repeat(2_000));
  });

  test('a key update goes without one, and its answer, which names another hash, is no lie', async () => {
    const { relayer, submissions, sign } = stage();
    relayer.hasApiKey = false;
    const id = await sign({ operation: 'updateAccountKey', draft: keyUpdate }, keyUpdateWire);
    relayer.posts = [() => taken({ hash: `0x${'0b'.repeat(32)}` })];
    const record = await submissions.send(id);
    expect(record.state).toBe('acknowledged');
    expect(notesOf(record)).toBe('');
    relayer.account = { ...relayer.account, nonce: 2 };
    const failed = await submissions.check(id);
    expect(failed.state).toBe('failed');
    expect(notesOf(failed)).toBe('nonce 1 was used by another key');
  });
});

describe('what was acknowledged', () => {
  async function acknowledged(changes: Partial<SubmissionDraft> = {}, wire: Partial<Wire> = {}) {
    const all = stage();
    const id = await all.sign(changes, wire);
    await all.submissions.send(id);
    all.changed.length = 0;
    return { ...all, id };
  }

  test('ends as the list says, and whoever waits is told of changes only', async () => {
    const { purposes, relayer, submissions, id, changed } = await acknowledged();
    relayer.looks = ['received', 'processed'];
    expect((await submissions.check(id)).state).toBe('acknowledged');
    expect(changed).toEqual([]);
    expect((await submissions.check(id)).state).toBe('processed');
    expect(changed).toEqual(['processed']);
    // What nobody waits for goes behind what somebody does, in the site's share.
    expect(purposes).toEqual(['poll https://site.example', 'poll https://site.example']);
    const looked = relayer.looked;
    expect((await submissions.check(id)).state).toBe('processed');
    expect(relayer.looked).toBe(looked);
  });

  test('and was lost by the relayer ends once both clocks are past its end and a last look finds nothing', async () => {
    const { both, clock, relayer, submissions, id } = await acknowledged();
    clock.wallet = LAST + 1;
    expect((await submissions.check(id)).state).toBe('acknowledged');
    both(LAST + 1);
    relayer.looks = [null, 'received', null];
    expect((await submissions.check(id)).state).toBe('acknowledged');
    relayer.looks = [null];
    const record = await submissions.check(id);
    expect(record.state).toBe('expired');
    expect(notesOf(record)).toContain('acknowledged, and unknown to the relayer after its expiry');
  });

  test('with its end in the answer ends although the list has lost it', async () => {
    const { both, journal, submissions, sign } = stage();
    const id = await sign();
    // The worker was stopped between the two entries.
    await journal.markSent(id);
    await journal.markAcknowledged(id, { hash: HASH, status: 'processed' });
    both(LAST + 1);
    expect((await submissions.check(id)).state).toBe('processed');
  });

  describe('as a cancellation', () => {
    async function cancelling() {
      const all = stage();
      const id = await all.sign({ operation: 'cancelOrder', validUntil: undefined }, cancellation, null);
      all.relayer.posts = [() => taken({ status: 'cancelling', clientOrderId: '' })];
      await all.submissions.send(id);
      const waiting = async () => (await all.journal.needsAttention()).length;
      return { ...all, id, waiting };
    }

    test.each(['cancelling', 'processing', 'waiting'])(
      'of an order that is listed as %s stays, and is shown to the user after a day',
      async (status) => {
        const { both, relayer, submissions, id, waiting } = await cancelling();
        relayer.looks = [status];
        both(START + DAY + 60_000);
        expect(await waiting()).toBe(0);
        both(START + DAY + 60_001);
        expect((await submissions.check(id)).state).toBe('acknowledged');
        expect(await waiting()).toBe(1);
        relayer.looks = [status, null, status, null];
        for (let n = 0; n < 2; n++) expect((await submissions.check(id)).state).toBe('acknowledged');
        expect((await submissions.check(id)).state).toBe('expired');
      },
    );

    test('of an order that is not known any more ends once both clocks are past its day, nobody knows how', async () => {
      const { both, clock, relayer, submissions, id } = await cancelling();
      relayer.looks = [null];
      for (const [wallet, at] of [
        [START + DAY, START + DAY],
        [START + DAY + 1, START + DAY],
        [START + DAY, START + DAY + 1],
      ]) {
        Object.assign(clock, { wallet, relayer: at });
        expect((await submissions.check(id)).state).toBe('acknowledged');
      }
      both(START + DAY + 1);
      const ended = await submissions.check(id);
      expect([ended.state, statusOf(ended)]).toEqual(['expired', 'unknown']);
    });
  });
});

describe.each([
  ['no longer knows the account', { account: null, login: 101_002 }],
  [
    'has given the number of the account to another owner',
    { account: { owner: `0x${'d'.repeat(40)}`, nonce: 2, publicKey: { x: '0x1', y: '0x1' } }, login: 104_003 },
  ],
])('at a relayer that %s', (_title, loss) => {
  function lost() {
    const all = stage();
    const loseAccount = () => Object.assign(all.relayer, loss);
    const keyUpdateOf = () => all.sign({ operation: 'updateAccountKey', draft: keyUpdate }, keyUpdateWire);
    return { ...all, loseAccount, keyUpdateOf };
  }

  /** By no clock alone, and by both. */
  async function endsByBothClocks(all: ReturnType<typeof stage>, id: string, before: string) {
    const { both, clock, journal, submissions } = all;
    for (const [wallet, relayer] of [
      [START, START],
      [LAST + 1, LAST],
      [LAST, LAST + 1],
    ]) {
      Object.assign(clock, { wallet, relayer });
      await submissions.check(id).catch((error) => expect(error).toBeInstanceOf(RelayerClientError));
      expect((await journal.get(id))?.state).toBe(before);
    }
    both(LAST + 1);
    const ended = await submissions.check(id);
    // No list was seen that lacks it.
    expect([ended.state, statusOf(ended)]).toEqual(['expired', 'unknown']);
  }

  test.each(['transfer', 'key update'])('an acknowledged %s ends once both clocks are past its end', async (kind) => {
    const all = lost();
    const id = kind === 'transfer' ? await all.sign() : await all.keyUpdateOf();
    await all.submissions.send(id);
    all.loseAccount();
    await endsByBothClocks(all, id, 'acknowledged');
  });

  test.each(['transfer', 'key update'])(
    'a %s without an answer ends once both clocks are past its end',
    async (kind) => {
      const all = lost();
      all.relayer.posts = [() => 'lost'];
      const id = kind === 'transfer' ? await all.sign() : await all.keyUpdateOf();
      await all.submissions.send(id);
      all.loseAccount();
      await endsByBothClocks(all, id, 'sent');
    },
  );

  test('a transfer that it refuses is not known to be refused before, because no list was seen', async () => {
    const all = lost();
    all.relayer.posts = [() => refusal(104_002)];
    all.loseAccount();
    const id = await all.sign();
    expect((await all.submissions.send(id)).state).toBe('sent');
    await endsByBothClocks(all, id, 'sent');
  });

  test('what has its end in the answer ends so', async () => {
    const all = lost();
    const id = await all.sign();
    await all.journal.markSent(id);
    await all.journal.markAcknowledged(id, { hash: HASH, status: 'processed' });
    all.loseAccount();
    all.both(LAST + 1);
    expect((await all.submissions.check(id)).state).toBe('processed');
  });

  test('what it refused before is looked up no more after its end', async () => {
    const all = lost();
    all.relayer.posts = [() => refusal(102_011)];
    const id = await all.sign();
    expect((await all.submissions.send(id)).state).toBe('refused');
    all.loseAccount();
    all.both(LAST + 1);
    expect((await all.submissions.check(id)).state).toBe('refused');
    expect(await all.journal.watched()).toEqual([]);
  });
});

describe('what was refused', () => {
  async function refused() {
    const all = stage();
    all.relayer.posts = [() => refusal(102_011)];
    const id = await all.sign();
    await all.submissions.send(id);
    all.changed.length = 0;
    return { ...all, id };
  }

  test('is looked up while its signature is valid, rarer with age, and never sent again', async () => {
    const { both, clock, journal, relayer, submissions, id } = await refused();
    expect(await submissions.nextDueAt()).toBe(START + 2_000);
    clock.wallet = START + 1_999;
    const before = relayer.looked;
    await submissions.checkDue();
    expect(relayer.looked).toBe(before);
    clock.wallet = START + 2_000;
    await submissions.checkDue();
    expect(relayer.looked).toBe(before + 1);
    clock.wallet = START + 100_000;
    await submissions.checkDue();
    expect(await submissions.nextDueAt()).toBe(START + 200_000);
    both(LAST + 1);
    expect((await submissions.check(id)).state).toBe('refused');
    expect(await journal.watched()).toEqual([]);
    expect(relayer.posted).toHaveLength(1);
    expect(await submissions.nextDueAt()).toBeUndefined();
  });

  test('is looked up also when it names no end', async () => {
    const { relayer, submissions, sign } = stage();
    relayer.posts = [() => refusal(102_011)];
    const id = await sign({ validUntil: undefined });
    expect((await submissions.send(id)).state).toBe('refused');
    relayer.looks = ['received'];
    expect((await submissions.check(id)).state).toBe('acknowledged');
  });

  test('whose look gets no answer is looked up rarer all the same', async () => {
    const { clock, relayer, submissions } = await refused();
    relayer.looks = ['lost'];
    clock.wallet = START + 100_000;
    await submissions.checkDue();
    expect(await submissions.nextDueAt()).toBe(START + 200_000);
    // Past its end by the wallet's clock, with a relayer that is gone: no other clock ends it.
    relayer.isClockRead = false;
    clock.wallet = LAST + 1;
    await submissions.checkDue();
    expect(await submissions.nextDueAt()).toBe(2 * (LAST + 1) - START);
  });

  test('is looked up at once after the clock was set back', async () => {
    const { clock, journal, submissions, id } = await refused();
    clock.wallet = START + 100_000;
    await submissions.checkDue();
    clock.wallet = START + 50_000;
    expect(await submissions.nextDueAt()).toBe(START + 52_000);
    await submissions.checkDue();
    expect(await journal.watched()).toMatchObject([{ record: { id }, lookedAt: START + 50_000 }]);
  });

  test('whose account was removed waits quietly for it, until its end', async () => {
    const { clock, journal, known, relayer, submissions, id } = await refused();
    known.account = false;
    const before = relayer.looked;
    clock.wallet = START + 100_000;
    await submissions.checkDue();
    expect(await submissions.nextDueAt()).toBe(START + 200_000);
    // Also for the worker that comes next.
    expect(await journal.watched()).toMatchObject([{ record: { id }, lookedAt: START + 100_000 }]);
    expect((await submissions.check(id)).state).toBe('refused');
    clock.wallet = LAST;
    await submissions.check(id);
    expect(await journal.watched()).toHaveLength(1);
    clock.wallet = LAST + 1;
    await submissions.check(id);
    expect(await journal.watched()).toEqual([]);
    expect(relayer.looked).toBe(before);
  });

  test('does not hold up what is open at another site', async () => {
    const { clock, relayer, submissions, sign } = await refused();
    relayer.posts = [() => taken()];
    const open = await sign({ origin: 'https://other.example' });
    await submissions.send(open);
    clock.wallet = START + 100_000;
    const check = submissions.check;
    let release = () => {};
    const other = new Promise<void>((resolve) => {
      release = resolve;
    });
    submissions.check = async (id) => {
      // The relayer of the refused one answers only after the other one's.
      if (id === open) release();
      else await other;
      return check.call(submissions, id);
    };
    const before = relayer.looked;
    await submissions.checkDue();
    expect(relayer.looked).toBe(before + 2);
  });

  test('and turns up in the list all the same is taken as it is there', async () => {
    const { purposes, relayer, submissions, id, changed } = await refused();
    relayer.looks = ['processed'];
    expect((await submissions.check(id)).state).toBe('processed');
    expect(purposes).toEqual([' ', 'poll https://site.example']);
    expect(changed).toEqual(['processed']);
  });

  test('is looked at again when what the last look found could not be written', async () => {
    const { both, journal, relayer, submissions, id } = await refused();
    both(LAST + 1);
    relayer.looks = ['processed'];
    vi.spyOn(journal, 'markFinal').mockRejectedValueOnce(new Error('disk full'));
    await expect(submissions.check(id)).rejects.toThrow('disk full');
    expect(await journal.watched()).toHaveLength(1);
    expect((await submissions.check(id)).state).toBe('processed');
    expect(await journal.watched()).toEqual([]);
  });
});

describe('a failure before the signature ends', () => {
  test('is looked at again until then, and gives way to what the relayer shows', async () => {
    const { relayer, submissions, sign, changed, journal } = stage();
    relayer.posts = [() => taken({ status: 'failed' })];
    const id = await sign();
    const sent = await submissions.send(id);
    expect(sent.state).toBe('failed');
    expect(await submissions.nextDueAt()).toBe(START + 2_000);
    relayer.looks = ['failed'];
    expect(await submissions.check(id)).toEqual(sent);
    expect(await journal.watched()).toHaveLength(1);
    relayer.looks = ['processed'];
    expect((await submissions.check(id)).state).toBe('processed');
    expect(await journal.watched()).toEqual([]);
    expect(changed).toEqual(['failed', 'processed']);
    expect(relayer.posted).toHaveLength(1);
  });

  test('is the last word once the signature has ended', async () => {
    const { both, relayer, submissions, sign, journal } = stage();
    relayer.posts = [() => taken({ status: 'failed' })];
    const id = await sign();
    await submissions.send(id);
    both(LAST + 1);
    expect((await submissions.check(id)).state).toBe('failed');
    expect(await journal.watched()).toEqual([]);
  });
});

describe('a signature that goes to the page', () => {
  const page = { operation: 'signMessage', validUntil: undefined };

  test('is processed once its page has its answer, and nobody is asked', async () => {
    const { journal, known, relayer, submissions, sign, changed } = stage();
    const id = await sign(page, { endpoint: 'none' }, null);
    expect((await submissions.send(id)).state).toBe('signed');
    await submissions.answered(id);
    const sent = await submissions.check(id);
    expect(sent.state).toBe('signed');
    const handed = await submissions.handOver(sent, async (given) => {
      expect(given).toEqual(sent);
      known.isAnswered = true;
      await submissions.answered(id);
    });
    expect(handed).toEqual(sent);
    const record = (await journal.get(id)) as SubmissionRecord;
    expect(record.state).toBe('processed');
    expect(notesOf(record)).toContain('the signature went to the site');
    // Whoever hands it over tells of it, after the answer.
    expect(changed).toEqual([]);
    expect(relayer).toMatchObject({ looked: 0, posted: [] });
  });

  test('is not looked up with its answer when it went to the relayer', async () => {
    const { known, relayer, submissions, sign } = stage();
    known.isAnswered = true;
    await submissions.answered(await sign());
    await submissions.answered('none');
    expect(relayer).toMatchObject({ looked: 0, posted: [] });
  });

  test('is told of by whoever finds that its page has it', async () => {
    const { known, submissions, sign, changed } = stage();
    const id = await sign(page, { endpoint: 'none' }, null);
    known.isAnswered = true;
    expect((await submissions.check(id)).state).toBe('processed');
    expect(changed).toEqual(['processed']);
  });

  test.each(['too late', 'given up'])('is not handed over when it is %s', async (why) => {
    const { both, closed, journal, submissions, sign } = stage();
    const id = await sign(page, { endpoint: 'none' }, null);
    const sent = (await journal.get(id)) as SubmissionRecord;
    if (why === 'too late') both(START + 120_001);
    else expect((await submissions.abandon(id)).state).toBe('abandoned');
    const handed = await submissions.handOver(sent, () => Promise.reject(new Error('it was answered')));
    expect(handed.state).toBe('abandoned');
    // What is too late goes back to the user.
    expect(closed).toEqual(why === 'too late' ? [] : ['abandoned']);
  });

  test('is never called given up once the page has it', async () => {
    const { both, known, submissions, sign } = stage();
    const id = await sign(page, { endpoint: 'none' }, null);
    known.isAnswered = true;
    both(START + 120_001);
    await expect(submissions.abandon(id)).rejects.toMatchObject({ code: 'already-sent' });
    expect((await submissions.check(id)).state).toBe('processed');
  });
});

describe('an NFT order that its site has', () => {
  async function handedOver() {
    const all = stage();
    const id = await all.sign({ operation: 'signNftOrder' }, { endpoint: 'none' });
    all.known.isAnswered = true;
    expect(isHandedOver(await all.submissions.send(id))).toBe(true);
    all.changed.length = 0;
    const item = async () => {
      const record = (await all.journal.get(id)) as SubmissionRecord;
      return activityItem(record, undefined, { accounts: [], claimed: [], networks: [] });
    };
    return { ...all, id, item };
  }

  test('is done once the exchange has carried it out', async () => {
    const { changed, both, item, journal, relayer, submissions } = await handedOver();
    relayer.looks = ['processing', 'cancelled', 'processed'];
    for (let n = 1; n <= 2; n++) {
      both(START + n * 60_000);
      await submissions.checkDue();
      expect(await item()).toMatchObject({ status: 'processed', handsOver: true });
    }
    expect(changed).toEqual([]);
    both(START + 240_000);
    await submissions.checkDue();
    expect(await item()).toMatchObject({ status: 'processed', problem: null });
    expect((await item()).handsOver).toBeUndefined();
    expect(changed).toEqual(['processed']);
    expect(await journal.watched()).toEqual([]);
  });

  test('has ended without a word once both clocks are past its end', async () => {
    const { changed, both, clock, id, item, journal, submissions } = await handedOver();
    clock.wallet = LAST + 1;
    await submissions.check(id);
    expect(await item()).toMatchObject({ handsOver: true, problem: { key: 'warning_validityLong' } });
    both(LAST + 1);
    // A page that asks is told what it was told.
    expect(statusOf(await submissions.check(id))).toBe('processed');
    expect(await item()).toMatchObject({ status: 'expired', isEndUnknown: true, problem: null });
    expect(await journal.watched()).toEqual([]);
    expect(changed).toEqual(['processed']);
  });
});

describe('what was signed and never sent', () => {
  test.each([
    ['two minutes later', 120_000, 'acknowledged'],
    ['later', 120_001, 'abandoned'],
    ['before its signature, by a clock that was set back', -1, 'abandoned'],
  ])('%s is %s', async (_when, after, state) => {
    const { both, changed, relayer, submissions, sign } = stage();
    const [id, forSite] = [await sign(), await sign({ operation: 'signMessage' }, { endpoint: 'none' }, null)];
    both(START + after);
    expect((await submissions.check(id)).state).toBe(state);
    expect(relayer.posted).toHaveLength(state === 'abandoned' ? 0 : 1);
    expect((await submissions.check(forSite)).state).toBe(state === 'abandoned' ? state : 'signed');
    expect(changed[0]).toBe(state);
  });

  test('does not leave when it became too old while the API key was asked for', async () => {
    const { both, changed, pauses, relayer, submissions, sign, beforeKey } = stage();
    const id = await sign();
    beforeKey.push(() => both(START + 120_001));
    expect((await submissions.send(id)).state).toBe('abandoned');
    expect(relayer.posted).toEqual([]);
    expect([changed, pauses]).toEqual([['abandoned'], []]);
  });

  const HELD = true;
  const aMoment = () => new Promise((resolve) => setTimeout(resolve, 50));

  test('has not left while it waits in the own queue, and ends with a worker that was stopped there', async () => {
    const { both, create, journal, relayer, submissions, sign } = stage(HELD);
    const ids = [];
    for (let site = 0; site < 6; site++) ids.push(await sign({ origin: `https://${site}.example` }));
    for (const id of ids) void submissions.send(id);
    await until(async () => relayer.posted.length === 5);
    await aMoment();
    const last = ids.at(-1) ?? '';
    expect(await journal.get(last)).toMatchObject({ state: 'signed' });
    expect((await journal.get(last))?.sends).toBeUndefined();
    both(START + 2 * DAY);
    expect((await create().check(last)).state).toBe('abandoned');
    expect(relayer.posted).toHaveLength(5);
  });

  test('was certainly not sent when the own queue is full, and can be given up', async () => {
    const { journal, submissions, sign } = stage(HELD);
    for (let count = 0; count < 105; count++) void submissions.send(await sign({ origin: OWN_ORIGIN }));
    await aMoment();
    const record = await submissions.send(await sign({ origin: OWN_ORIGIN }));
    expect(record).toMatchObject({ state: 'signed', error: { outcome: 'not-sent' } });
    expect((await journal.get(record.id))?.sends).toBeUndefined();
    expect((await submissions.abandon(record.id)).state).toBe('abandoned');
  });

  test('leaves at once when the user asks, however much a site sends', async () => {
    const { journal, relayer, submissions, sign } = stage(HELD);
    for (let count = 0; count < 8; count++) void submissions.send(await sign());
    await until(async () => relayer.posted.length === 3);
    const own = await submissions.send(await sign({ origin: OWN_ORIGIN }));
    expect(own.state).toBe('acknowledged');
    const states = (await journal.list()).map(({ state }) => state);
    expect(states.filter((state) => state === 'signed')).toHaveLength(5);
  });

  test('goes again days later when it was sent once', async () => {
    const { both, relayer, submissions, sign } = stage();
    relayer.posts = [() => 'lost', () => 'lost', () => 'lost', taken];
    const id = await sign({ validUntil: (START + 30 * DAY) / 1000 });
    expect((await submissions.send(id)).state).toBe('sent');
    both(START + 10 * DAY);
    expect((await submissions.check(id)).state).toBe('acknowledged');
  });
});

describe('giving up', () => {
  test('ends what never left, also while the relayer does not answer', async () => {
    const { relayer, submissions, sign, changed } = stage();
    relayer.looks = ['lost'];
    const record = await submissions.abandon(await sign());
    expect(record.state).toBe('abandoned');
    expect(notesOf(record)).toContain('given up before it was sent');
    expect(relayer.looked).toBe(0);
    expect(changed).toEqual(['abandoned']);
  });

  const refused = { code: 'already-sent', key: 'error_alreadySent' };

  test('is refused for what may have left', async () => {
    const { journal, submissions, sign } = stage();
    const id = await sign();
    await journal.markSent(id);
    await expect(submissions.abandon(id)).rejects.toMatchObject(refused);
    await expect(submissions.abandon('none')).rejects.toMatchObject(refused);
  });

  test('comes after what is being done, and ends what could not leave', async () => {
    const { relayer, submissions, sign } = stage();
    const id = await sign();
    relayer.keyFailure = new Error('the vault is locked');
    const sending = submissions.send(id).catch(({ message }: Error) => {
      relayer.keyFailure = null;
      return message;
    });
    expect((await submissions.abandon(id)).state).toBe('abandoned');
    expect(await sending).toBe('the vault is locked');
    expect(relayer.posted).toEqual([]);
  });

  test('is refused when what is being done has sent it', async () => {
    const { submissions, sign } = stage();
    const id = await sign();
    const sending = submissions.send(id);
    await expect(submissions.abandon(id)).rejects.toMatchObject(refused);
    expect((await sending).state).toBe('acknowledged');
  });
});

test('a signed submission that has lost its bytes is named, nothing is sent, and it can be given up', async () => {
  const { journal, relayer, store, submissions, sign } = stage();
  const id = await sign();
  const { wire: _, ...damaged } = (await journal.get(id)) as SubmissionRecord;
  await transact(store, async (objects) => {
    objects.put(damaged, keys.submission(id));
  });
  await expect(submissions.check(id)).rejects.toThrow(`submission ${id} has no bytes to send`);
  expect(relayer.posted).toEqual([]);
  expect((await submissions.abandon(id)).state).toBe('abandoned');
});

test('a reservation that is asked about stays as it is, and nobody else is asked', async () => {
  const { both, changed, journal, relayer, submissions } = stage();
  const slot = { tokenId: 1, parity: 'offchain', nextFromRelayer: 1 } as const;
  const { id } = await journal.reserve({ ...reservedOnly('one'), validUntil: END_SECONDS }, { slot });
  both(LAST + 1);
  expect((await submissions.check(id)).state).toBe('reserved');
  expect(relayer.looked).toBe(0);
  expect(changed).toEqual([]);
});

test('two who ask about one submission send it once', async () => {
  const { relayer, submissions, sign } = stage();
  const id = await sign();
  const [first, second] = await Promise.all([submissions.send(id), submissions.check(id)]);
  expect(first).toEqual(second);
  expect(relayer.posted).toHaveLength(1);
});

test('a submission that is unknown, or whose network or account is gone, is named', async () => {
  const { known, submissions, sign } = stage();
  await expect(submissions.check('none')).rejects.toMatchObject({ code: 'not-found' });
  const id = await sign();
  known.account = false;
  await expect(submissions.send(id)).rejects.toThrow(`submission ${id} belongs to no account of this wallet`);
  known.network = false;
  await expect(submissions.check(id)).rejects.toThrow(`submission ${id} belongs to no account of this wallet`);
});

describe('open submissions', () => {
  test('whose look fails leave a trace that says which look it was, and the others go on', async () => {
    const { both, clock, relayer, submissions, sign, known } = stage();
    const traces: string[] = [];
    listenForReports(({ where }) => traces.push(where));
    // What earlier tests reported before anybody listened.
    traces.splice(0);
    relayer.posts = [() => refusal(102_011), taken];
    await submissions.send(await sign());
    await submissions.send(await sign());
    known.network = false;
    await submissions.checkOpen(() => true, 5);
    expect(traces.splice(0)).toEqual(['submissions: check what is open']);
    both(clock.wallet + 60_000);
    await submissions.checkDue();
    expect(traces).toEqual(['submissions: check what is due', 'submissions: check what is due']);
  });

  test('and refused ones wake the worker for whichever is due first', async () => {
    const { both, relayer, submissions, sign } = stage();
    relayer.posts = [() => refusal(102_011), taken];
    await submissions.send(await sign());
    both(START + 100_000);
    // The look at the refused one makes it rarer; the one that is taken afterwards is due sooner.
    await submissions.checkDue();
    await submissions.send(await sign());
    both(START + 110_000);
    expect(await submissions.nextDueAt()).toBe(START + 112_000);
    await submissions.checkDue();
    both(START + 190_000);
    await submissions.checkDue();
    expect(await submissions.nextDueAt()).toBe(START + 200_000);
  });

  test('are asked about as many as are meant, whatever fails', async () => {
    const { relayer, journal, submissions, sign, known } = stage();
    await journal.reserve(reservedOnly('one'));
    const ids = [await sign(), await sign(), await sign()];
    known.network = false;
    await submissions.checkOpen(() => true, 5);
    known.network = true;
    expect(relayer.posted).toEqual([]);
    await submissions.checkOpen(({ id }) => id !== ids[0], 1);
    expect(relayer.posted).toEqual([transferOf(String(ids[1]))]);
    await submissions.checkOpen(() => true, 1);
    expect(relayer.posted).toEqual([transferOf(String(ids[1])), transferOf(String(ids[0]))]);
  });

  test('that are reserved, or not due, are left alone, and take no place in a round', async () => {
    const { both, journal, relayer, submissions, create, sign } = stage();
    for (let i = 0; i < 8; i++) await journal.reserve(reservedOnly(`${i}`));
    both(START + 60_000);
    await submissions.checkDue();
    expect(await submissions.nextDueAt()).toBeUndefined();
    const id = await sign();
    await create().checkDue();
    expect(relayer.looked).toBe(0);
    await submissions.send(id);
    both(START + 120_000);
    await create().checkDue();
    expect(relayer.looked).toBe(1);
  });

  test('wake the worker for the first that is due', async () => {
    const { both, relayer, submissions, sign } = stage();
    const first = await sign();
    await submissions.send(first);
    both(START + 40_000);
    relayer.looks = ['received'];
    await submissions.check(first);
    await submissions.send(await sign());
    expect(await submissions.nextDueAt()).toBe(START + 42_000);
  });

  test('are due after a quarter of their age, and at once when the clock was set back', async () => {
    const { both, clock, relayer, submissions, sign } = stage();
    const id = await sign();
    await submissions.send(id);
    relayer.looks = ['received'];
    expect(await submissions.nextDueAt()).toBe(START + 2_000);
    await submissions.checkDue();
    expect(relayer.looked).toBe(0);
    both(START + 40_000);
    await submissions.check(id);
    expect(await submissions.nextDueAt()).toBe(START + 50_000);
    both(START + 30 * DAY);
    await submissions.check(id);
    expect(await submissions.nextDueAt()).toBe(START + 30 * DAY + 600_000);
    clock.wallet = START + 1;
    const looked = relayer.looked;
    await submissions.checkDue();
    expect(relayer.looked).toBe(looked + 1);
    expect(await submissions.nextDueAt()).toBe(START + 1 + 2_000);
  });

  test('of an operation with an interval of its own are due after it, once they are acknowledged, rarer after an hour', async () => {
    const { both, submissions, journal, sign } = stage();
    const id = await sign({ operation: 'deployNft' });
    await journal.markSent(id);
    both(START + 3_600_000);
    expect(await submissions.nextDueAt()).toBe(START + 3_600_000 + 2_000);
    await journal.markAcknowledged(id, {});
    expect(await submissions.nextDueAt()).toBe(START + 3_600_000 + 15_000);
    both(START + 24 * 3_600_000);
    await journal.markAcknowledged(id, {});
    expect(await submissions.nextDueAt()).toBe(START + 24 * 3_600_000 + 360_000);
    both(START + 20 * DAY);
    await journal.markAcknowledged(id, {});
    expect(await submissions.nextDueAt()).toBe(START + 20 * DAY + 600_000);
  });
});
