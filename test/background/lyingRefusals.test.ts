import { describe, expect, test } from 'vitest';
import { grantsChanged } from '../../src/background/approvals/siteRights.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveRequest,
  balanceOf,
  movableClock,
  moveRelayerClock,
  ORDER,
  openOther,
  ordersOf,
  PASSWORD,
  question,
  refusal,
  resultOf,
  type SetUp,
  SITE,
  setUp,
  until,
} from './support.ts';

/**
 * A relayer that says no to what it takes, or keeps what it refused: paid is never more than
 * approved.
 */
const relayer = await relayerOfFile();

const LRC = 10n ** 18n;
const AMOUNT = 100n * LRC;
const unlisted = () => Response.json({ totalNum: 0, transactions: [], withdrawals: [], transfers: [] });
const isPost = (init: RequestInit | undefined) => init?.method === 'POST';
const settle = async () => {
  for (let round = 0; round < 5; round++) await relayer.engine.run();
};
const journalOf = ({ wallet }: SetUp) => wallet.background().wallet.journal;
/** Waits until the user is asked once more, after so many refused signatures. */
const askedAgain = ({ wallet }: SetUp, copies: number) =>
  until(async () => {
    const view = await question(wallet);
    const shown = view.review?.warnings[0]?.text.values?.copies;
    return shown?.kind === 'integer' && shown.value === copies && view;
  });
/** Looks until nothing is asked any more, as the first look can fail on a busy machine. */
const nothingAsked = ({ wallet }: SetUp, clock: ReturnType<typeof movableClock>) =>
  until(async () => {
    clock.advance(20_000);
    await wallet.ui('touch', {});
    await wallet.background().onWake();
    return (await wallet.ui('listApprovals', {})).length === 0;
  });
const transferTo = (owner: string, changes: object = {}) => ({
  token: { tokenId: 1, volume: String(AMOUNT) },
  payeeAddr: owner,
  feeTokenId: 0,
  ...changes,
});

interface Held {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** The honest relayer gets all that the liar was given, as often as it was given. */
async function carryOutAll(path: string, held: readonly Held[]): Promise<void> {
  for (const { body, headers } of held) await fetch(`${relayer.url}${path}`, { method: 'POST', headers, body });
  await settle();
}

describe('the answer to the first copy is lost, lists are behind, and the repeat is refused', () => {
  const lost = (path: string, list: string, looks: number, repeat: () => Response) => {
    const sent: string[] = [];
    let seen = 0;
    const lie: typeof fetch = async (input, init) => {
      const { pathname } = new URL(String(input));
      if (isPost(init) && pathname === path) {
        const isRepeat = sent.includes(String(init?.body));
        sent.push(String(init?.body));
        if (isRepeat) return repeat();
        const answer = await fetch(input, init);
        if (sent.length === 1) throw new TypeError('fetch failed');
        return answer;
      }
      if (!isPost(init) && pathname === list && sent.length > 0 && seen++ < looks)
        return list === '/api/v3/order' ? refusal(107003) : unlisted();
      return fetch(input, init);
    };
    return { lie, sent };
  };

  test.each([
    ['102007', () => refusal(102007)],
    ['102004', () => refusal(102004)],
    ['102021', () => refusal(102021)],
    ['102011', () => refusal(102011)],
    ['403 without a code', () => new Response('turned away', { status: 403 })],
    ['500 with a code that nobody knows', () => Response.json({ resultInfo: { code: 999999 } }, { status: 500 })],
  ])('with %s: a transfer stays unknown until it is found, and is paid once', async (_with, repeat) => {
    const clock = movableClock();
    const { lie, sent } = lost('/api/v3/transfer', '/api/v3/user/transfers', 6, repeat);
    const stage = await setUp(relayer, { now: clock.now, fetch: lie }, ['transfers']);
    const friend = await openOther(relayer);
    const outcome = await approveRequest(stage.wallet, 'relayer_transfer', transferTo(friend.owner));
    expect(outcome).toMatchObject({ error: { code: 4900, data: { status: 'unknown' } } });
    const [record] = await journalOf(stage).list();
    expect(record?.state).toBe('sent');
    await settle();
    await until(async () => {
      clock.advance(20_000);
      await stage.wallet.ui('touch', {});
      await stage.wallet.background().onWake();
      return (await journalOf(stage).get(record?.id ?? ''))?.state === 'processed';
    });
    expect(new Set(sent).size).toBe(1);
    expect(await balanceOf(stage.client, friend, 1)).toBe(AMOUNT);
  });

  test.each([
    ['403 without a code', () => new Response('turned away', { status: 403 })],
    ['500 with a code that nobody knows', () => Response.json({ resultInfo: { code: 999999 } }, { status: 500 })],
  ])('also when the first copy itself is answered with %s, it stays unknown', async (_with, say) => {
    const lie: typeof fetch = async (input, init) => {
      const { pathname } = new URL(String(input));
      if (pathname === '/api/v3/user/transfers') return unlisted();
      if (!isPost(init) || pathname !== '/api/v3/transfer') return fetch(input, init);
      await fetch(input, init);
      return say();
    };
    const stage = await setUp(relayer, { fetch: lie }, ['transfers']);
    const friend = await openOther(relayer);
    const outcome = await approveRequest(stage.wallet, 'relayer_transfer', transferTo(friend.owner));
    expect(outcome).toMatchObject({ error: { code: 4900, data: { status: 'unknown' } } });
  });

  test('an order with one-of alternatives gets no second signature', async () => {
    const { lie } = lost('/api/v3/order', '/api/v3/order', 9, () => refusal(102011));
    const stage = await setUp(relayer, { fetch: lie });
    const second = { ...ORDER, clientOrderId: 'two', buyToken: { tokenId: 0, volume: '60000000000000000' } };
    const outcome = await approveRequest(stage.wallet, 'relayer_submitOneOf', {
      orders: [{ ...ORDER, clientOrderId: 'one' }, second],
    });
    expect(outcome).toMatchObject({ error: { data: { status: 'unknown' } } });
    expect((await ordersOf(stage)).map(({ clientOrderId }) => clientOrderId)).toEqual(['one']);
    expect(await journalOf(stage).list()).toHaveLength(1);
  });
});

const keeping = (path: string, code: number, moreIds = true) => {
  const held: Held[] = [];
  const state = { on: false };
  const lie: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    if (state.on && isPost(init) && pathname === path) {
      const body = String(init?.body);
      if (!held.some((one) => one.body === body)) held.push({ body, headers: init?.headers as Record<string, string> });
      return refusal(code);
    }
    if (state.on && moreIds && pathname === '/api/v3/storageId') {
      const used = 2 * held.length;
      return Response.json({ orderId: 1000 + used, offchainId: 1001 + used });
    }
    if (state.on && !isPost(init) && /\/user\/(transfers|withdrawals)$/.test(pathname)) return unlisted();
    return fetch(input, init);
  };
  return { held, state, lie };
};

describe('a relayer that refuses what it keeps', () => {
  test.each([102004, 102007, 102021, 102030])(
    'with %i and higher ids gets one signed transfer for each click, over restarts',
    async (code) => {
      const { held, state, lie } = keeping('/api/v3/transfer', code);
      const stage = await setUp(relayer, { fetch: lie }, ['transfers']);
      const { wallet } = stage;
      const friend = await openOther(relayer);
      state.on = true;
      const answer = approveRequest(wallet, 'relayer_transfer', transferTo(friend.owner));
      const again = await until(async () => {
        const view = await question(wallet);
        return view.review?.warnings[0]?.rule === 'signed-before' && view;
      });
      const validUntil = JSON.parse(held[0]?.body ?? '{}').validUntil;
      expect(again.review?.warnings[0]).toMatchObject({
        severity: 'danger',
        text: { values: { copies: { value: 1 }, until: { kind: 'time', seconds: validUntil } } },
      });
      for (let life = 0; life < 2; life++) {
        wallet.restart();
        await wallet.ui('unlock', { password: PASSWORD });
        await wallet.background().onWake();
      }
      expect(held).toHaveLength(1);
      const { requestId } = (await journalOf(stage).list())[0] ?? {};
      const told = () => wallet.page(SITE, 'relayer_getRequest', [{ requestId }]);
      // It waits for the user: no end of it yet.
      expect(await told()).toMatchObject({ result: { requestId, status: 'pending' } });
      await wallet.ui('reject', { id: again.id, block: false });
      expect(await answer).toMatchObject({ error: { code: 4001, data: { status: 'refused', requestId, validUntil } } });
      expect(await told()).toMatchObject({
        result: { requestId, status: 'refused', hash: expect.stringMatching(/^0x/), validUntil },
      });
      state.on = false;
      await carryOutAll('/api/v3/transfer', held);
      expect(await balanceOf(stage.client, friend, 1)).toBe(AMOUNT);
    },
  );

  test('whose site loses its permission meanwhile is not asked about again; the page learns until when a copy is valid', async () => {
    const { held, state, lie } = keeping('/api/v3/transfer', 102021);
    let revoke = async () => {};
    const stage = await setUp(
      relayer,
      {
        fetch: async (input, init) => {
          if (state.on && isPost(init) && String(input).endsWith('/api/v3/transfer')) await revoke();
          return lie(input, init);
        },
      },
      ['transfers'],
    );
    const { wallet, accountView } = stage;
    const friend = await openOther(relayer);
    state.on = true;
    revoke = async () => {
      await wallet.background().wallet.grants.revokeKind(SITE, accountView, 'transfers');
      await grantsChanged(wallet.background().wallet, SITE);
    };
    const answer = await approveRequest(wallet, 'relayer_transfer', transferTo(friend.owner));
    const { validUntil } = JSON.parse(held[0]?.body ?? '{}');
    expect(answer).toMatchObject({ error: { code: 4100, data: { reason: 'revoked', status: 'refused', validUntil } } });
    expect(await wallet.ui('listApprovals', {})).toEqual([]);
  });

  test('a withdrawal is not signed again unasked either', async () => {
    const { held, state, lie } = keeping('/api/v3/user/withdrawals', 102030);
    const stage = await setUp(relayer, { fetch: lie }, ['withdrawals']);
    state.on = true;
    void approveRequest(stage.wallet, 'relayer_withdraw', { token: { tokenId: 1, volume: String(AMOUNT) } });
    await until(async () => (await question(stage.wallet)).review?.warnings[0]?.rule === 'signed-before');
    expect(held).toHaveLength(1);
  });

  test('the click on the approval request that is put again gives exactly one more signature', async () => {
    const { held, state, lie } = keeping('/api/v3/transfer', 102021);
    const stage = await setUp(relayer, { fetch: lie }, ['transfers']);
    const friend = await openOther(relayer);
    state.on = true;
    void approveRequest(stage.wallet, 'relayer_transfer', transferTo(friend.owner));
    const view = await askedAgain(stage, 1);
    await stage.wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    await askedAgain(stage, 2);
    expect(held).toHaveLength(2);
    expect((await journalOf(stage).list()).map(({ state: at, copy }) => [at, copy])).toEqual([
      ['refused', 2],
      ['refused', undefined],
    ]);
  });

  test.each([
    ['transfer', '/api/v3/transfer'],
    ['withdraw', '/api/v3/user/withdrawals'],
  ] as const)(
    'the same %s of the own screens says what was signed before; another one says nothing',
    async (operation, path) => {
      const { held, state, lie } = keeping(path, 114002);
      const stage = await setUp(relayer, { fetch: lie });
      const { wallet, accountView } = stage;
      const friend = await openOther(relayer);
      state.on = true;
      const asked = async (volume: bigint, payeeAddr: string) => {
        const token = { tokenId: 1, volume: String(volume) };
        const intent = operation === 'transfer' ? { token, payeeAddr, feeTokenId: 0 } : { token, feeTokenId: 0 };
        const { id } = await wallet.ui('startOperation', { operation, account: accountView, intent });
        return until(async () => {
          const now = await wallet.ui('getApproval', { id });
          return now.stage === 'ready' && now;
        });
      };
      const first = await asked(LRC, friend.owner);
      expect(first.review?.warnings.map(({ rule }) => rule)).not.toContain('signed-before');
      await wallet.ui('approve', {
        id: first.id,
        digest: first.digest ?? '',
        account: first.account?.id ?? null,
        password: PASSWORD,
      });
      const { result } = await until(async () => {
        const now = await wallet.ui('getApproval', { id: first.id });
        return now.stage === 'done' && now;
      });
      expect(result).toMatchObject({ status: 'refused' });
      const { validUntil } = JSON.parse(held[0]?.body ?? '{}');
      const again = await asked(LRC, friend.owner.toLowerCase());
      expect(again.review?.warnings[0]).toMatchObject({
        rule: 'signed-before',
        severity: 'danger',
        text: { values: { copies: { value: 1 }, until: { seconds: validUntil } } },
      });
      // Only a copy of the request itself is one that its site was told of.
      expect(again.signedBefore).toBeNull();
      const other = await asked(LRC + 1n, friend.owner);
      expect(other.review?.warnings.map(({ rule }) => rule)).not.toContain('signed-before');
    },
  );

  test('and cannot be read afterwards: what is put back does not pass for a request that was never signed', async () => {
    const { held, state, lie } = keeping('/api/v3/transfer', 102021);
    const stage = await setUp(
      relayer,
      {
        fetch: async (input, init) => {
          if (held.length > 0 && /offchainFee/.test(String(input))) throw new TypeError('fetch failed');
          return lie(input, init);
        },
      },
      ['transfers'],
    );
    const friend = await openOther(relayer);
    state.on = true;
    void approveRequest(stage.wallet, 'relayer_transfer', transferTo(friend.owner));
    const view = await until(async () => {
      const [open] = await stage.wallet.ui('listApprovals', {});
      const now = open && held.length > 0 && (await stage.wallet.ui('getApproval', { id: open.id }));
      return now && now.stage === 'unavailable' && now;
    });
    expect(view.signedBefore).toMatchObject({ key: 'warning_signedBefore', values: { copies: { value: 1 } } });
  });

  test('and shows it later: what was refused becomes what it is, and the page was told until when that can happen', async () => {
    const clock = movableClock();
    const { held, state, lie } = keeping('/api/v3/transfer', 102011, false);
    const stage = await setUp(relayer, { now: clock.now, fetch: lie }, ['transfers']);
    const friend = await openOther(relayer);
    state.on = true;
    const outcome = await approveRequest(stage.wallet, 'relayer_transfer', transferTo(friend.owner));
    const { validUntil } = JSON.parse(held[0]?.body ?? '{}');
    expect(outcome).toMatchObject({ error: { code: -32003, data: { code: 102011, validUntil } } });
    expect(validUntil - clock.now() / 1000).toBeLessThanOrEqual(3_600);
    const [refused] = await stage.wallet.ui('getActivity', { limit: 1 });
    expect(refused).toMatchObject({
      status: 'refused',
      problem: { key: 'problem_refusedUntil', values: { until: { kind: 'time', seconds: validUntil } } },
    });
    state.on = false;
    await carryOutAll('/api/v3/transfer', held);
    await until(async () => {
      clock.advance(20_000);
      await stage.wallet.ui('touch', {});
      await stage.wallet.background().onWake();
      return (await stage.wallet.ui('getActivity', { limit: 1 }))[0]?.status === 'processed';
    });
  });

  test('fails it in place of a refusal and shows it later: page and activity are told until when that can happen', async () => {
    const clock = movableClock();
    const held: Held[] = [];
    let isLying = true;
    const lie: typeof fetch = async (input, init) => {
      const { pathname } = new URL(String(input));
      if (!isLying) return fetch(input, init);
      if (isPost(init) && pathname === '/api/v3/transfer') {
        held.push({ body: String(init?.body), headers: init?.headers as Record<string, string> });
        const [{ hash } = {}] = await journalOf(stage).list();
        return Response.json({ hash, status: 'failed', isIdempotent: false });
      }
      return fetch(input, init);
    };
    const stage: SetUp = await setUp(relayer, { now: clock.now, fetch: lie }, ['transfers']);
    const friend = await openOther(relayer);
    const outcome = await approveRequest(stage.wallet, 'relayer_transfer', transferTo(friend.owner));
    const { validUntil } = JSON.parse(held[0]?.body ?? '{}');
    expect(resultOf(outcome)).toMatchObject({ status: 'failed', validUntil });
    const { requestId } = resultOf(outcome);
    const told = async () => resultOf(await stage.wallet.page(SITE, 'relayer_getRequest', [{ requestId }]));
    expect(await told()).toMatchObject({ requestId, status: 'failed', validUntil });
    expect((await stage.wallet.ui('getActivity', { limit: 1 }))[0]).toMatchObject({
      status: 'failed',
      problem: { key: 'problem_endedUntil', values: { until: { kind: 'time', seconds: validUntil } } },
    });
    isLying = false;
    await carryOutAll('/api/v3/transfer', held);
    await until(async () => {
      clock.advance(20_000);
      await stage.wallet.ui('touch', {});
      await stage.wallet.background().onWake();
      return (await stage.wallet.ui('getActivity', { limit: 1 }))[0]?.status === 'processed';
    });
    expect(await told()).not.toHaveProperty('validUntil');
  });

  test('an approval request that was put again ends with the first copy when that turns out to be taken', async () => {
    const clock = movableClock();
    const { held, state, lie } = keeping('/api/v3/transfer', 102021);
    const stage = await setUp(relayer, { now: clock.now, fetch: lie }, ['transfers']);
    const friend = await openOther(relayer);
    state.on = true;
    const answer = approveRequest(stage.wallet, 'relayer_transfer', transferTo(friend.owner));
    await until(async () => (await question(stage.wallet)).review?.warnings[0]?.rule === 'signed-before');
    state.on = false;
    await carryOutAll('/api/v3/transfer', held);
    await nothingAsked(stage, clock);
    const [first] = await journalOf(stage).list();
    expect(resultOf(await answer).hash).toBe(first?.hash);
  });
});

describe('an approval request of which several signatures were refused', () => {
  test('ends with the first when the relayer carries it out, and gets no third signature', async () => {
    const clock = movableClock();
    const { held, state, lie } = keeping('/api/v3/transfer', 102021);
    const stage = await setUp(relayer, { now: clock.now, fetch: lie }, ['transfers']);
    const friend = await openOther(relayer);
    state.on = true;
    const answer = approveRequest(stage.wallet, 'relayer_transfer', transferTo(friend.owner));
    const view = await askedAgain(stage, 1);
    await stage.wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    await askedAgain(stage, 2);
    state.on = false;
    await carryOutAll('/api/v3/transfer', held.slice(0, 1));
    await nothingAsked(stage, clock);
    const first = (await journalOf(stage).list()).at(-1);
    expect(resultOf(await answer).hash).toBe(first?.hash);
    expect(held).toHaveLength(2);
    expect(await stage.wallet.page(SITE, 'relayer_getRequest', [{ requestId: first?.requestId }])).toMatchObject({
      result: { status: expect.stringMatching(/^(?:acknowledged|processed)$/), hash: first?.hash },
    });
    expect(await balanceOf(stage.client, friend, 1)).toBe(AMOUNT);
  });
});

describe('the look-up of what was refused fails', () => {
  const failing = (failures: number, answer: typeof fetch) => {
    const sent: string[] = [];
    let left = failures;
    const lie: typeof fetch = async (input, init) => {
      const { pathname } = new URL(String(input));
      if (isPost(init) && pathname === '/api/v3/transfer') {
        sent.push(String(init?.body));
        return answer(input, init);
      }
      if (pathname === '/api/v3/user/transfers' && sent.length > 0 && left-- > 0) return Response.json({});
      return fetch(input, init);
    };
    return { lie, sent };
  };

  test('and the relayer has it: the page learns that nothing is known, and a later look finds it', async () => {
    const clock = movableClock();
    const { lie, sent } = failing(3, async (input, init) => {
      await fetch(input, init);
      return refusal(102011);
    });
    const stage = await setUp(relayer, { now: clock.now, fetch: lie }, ['transfers']);
    const friend = await openOther(relayer);
    const outcome = await approveRequest(stage.wallet, 'relayer_transfer', transferTo(friend.owner));
    expect(outcome).toMatchObject({ error: { code: 4900, data: { status: 'unknown' } } });
    await settle();
    await until(async () => {
      clock.advance(20_000);
      await stage.wallet.ui('touch', {});
      await stage.wallet.background().onWake();
      return (await journalOf(stage).list())[0]?.state === 'processed';
    });
    expect(sent).toHaveLength(1);
    expect(await balanceOf(stage.client, friend, 1)).toBe(AMOUNT);
  });

  test('and the relayer does not have it: the next look tells, and nothing is sent again', async () => {
    const { lie, sent } = failing(1, async () => refusal(102011));
    const stage = await setUp(relayer, { fetch: lie }, ['transfers']);
    const friend = await openOther(relayer);
    const outcome = await approveRequest(stage.wallet, 'relayer_transfer', transferTo(friend.owner));
    expect(outcome).toMatchObject({ error: { code: -32003, data: { code: 102011 } } });
    expect(sent).toHaveLength(1);
    expect((await journalOf(stage).list())[0]).toMatchObject({ state: 'refused', sends: 1 });
  });
});

/** Two orders of 100 LRC. */
const standingLimits = () => ({
  sellTokenId: 1,
  buyTokenId: 0,
  minPrice: '0.0004',
  orderVolume: String(AMOUNT),
  totalVolume: String(2n * AMOUNT),
  rate: { requests: 10, seconds: 60 },
  validUntil: Math.floor(Date.now() / 1000) + 3_600,
});

/** Refuses each order for its storage id, and names a later one. */
function refusingOrders() {
  const held: string[] = [];
  const lie: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    if (isPost(init) && pathname === '/api/v3/order') {
      held.push(String(init?.body));
      return refusal(102004);
    }
    if (pathname === '/api/v3/storageId' && held.length > 0)
      return Response.json({ orderId: 1000 + 2 * held.length, offchainId: 1 });
    return fetch(input, init);
  };
  return { held, lie };
}

test('orders within a standing approval are signed again unasked, and every copy counts', async () => {
  const { held, lie } = refusingOrders();
  const stage = await setUp(relayer, { fetch: lie });
  await approveRequest(stage.wallet, 'relayer_requestStandingApproval', standingLimits());
  void stage.wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
  // Two copies use the limit up; the third is a question.
  const view = await until(async () => {
    const open = await question(stage.wallet);
    return open.review?.warnings[0]?.rule === 'signed-before' && open;
  });
  expect(view.review?.warnings[0]?.text.values).toMatchObject({ copies: { value: 2 } });
  expect(held).toHaveLength(2);
});

test.each([
  ['its request is closed', false, 'closed'],
  ['the user is asked where that fails', true, 'ready'],
])('a copy within a standing approval that is given up is not signed again: %s', async (_what, fails, end) => {
  const { held, lie } = refusingOrders();
  const stage = await setUp(relayer, { fetch: lie });
  const { wallet } = stage;
  const limits = { ...standingLimits(), totalVolume: String(3n * AMOUNT) };
  const { id } = resultOf<{ id: string }>(await approveRequest(wallet, 'relayer_requestStandingApproval', limits));
  await wallet.ui('setStanding', { id, endsWithLock: false });
  const journal = journalOf(stage);
  const markSigned = journal.markSigned.bind(journal);
  const isStopped = new Promise<void>((resolve) => {
    Object.assign(journal, {
      async markSigned(...given: Parameters<typeof markSigned>) {
        const record = await markSigned(...given);
        if (record.copy === undefined) return record;
        resolve();
        // This life never comes back from here.
        return new Promise(() => {});
      },
    });
  });
  const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
  await isStopped;
  wallet.stop();
  await wallet.ports.session.remove(['vault:session:key', 'vault:session:deadline']);
  wallet.restart();
  const [copy] = await journalOf(stage).list();
  expect(copy).toMatchObject({ state: 'signed', copy: 2, rule: id });
  const { closing, submissions } = wallet.background().wallet;
  if (fails) Object.assign(closing, { close: () => Promise.reject(new Error('no disk')) });
  await submissions.abandon(copy?.id ?? '');
  wallet.restart();
  await wallet.ui('unlock', { password: PASSWORD });
  await wallet.background().onWake();
  await until(async () => (await wallet.ui('getApproval', { id: copy?.requestId ?? '' })).stage === end);
  expect((await journalOf(stage).list()).map(({ state }) => state)).toEqual(['abandoned', 'refused']);
  expect(held).toHaveLength(1);
  expect((await wallet.ui('listStanding', {}))[0]).toMatchObject({ id });
  if (fails) return;
  const { validUntil } = JSON.parse(held[0] ?? '{}');
  expect(await answer).toMatchObject({
    error: { code: 4001, data: { status: 'refused', requestId: copy?.requestId, validUntil } },
  });
});

test('a copy within a standing approval that is too late to be sent does not hide the first one', async () => {
  const clock = movableClock();
  const { held, lie } = refusingOrders();
  const stage = await setUp(relayer, { now: clock.now, fetch: lie });
  const { wallet } = stage;
  const limits = { ...standingLimits(), totalVolume: String(3n * AMOUNT) };
  await approveRequest(wallet, 'relayer_requestStandingApproval', limits);
  const journal = journalOf(stage);
  const markSigned = journal.markSigned.bind(journal);
  Object.assign(journal, {
    async markSigned(...given: Parameters<typeof markSigned>) {
      const record = await markSigned(...given);
      if (record.copy !== undefined) clock.advance(130_000);
      return record;
    },
  });
  const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
  const view = await askedAgain(stage, 1);
  expect((await journal.list()).map(({ state }) => state)).toEqual(['abandoned', 'refused']);
  expect(held).toHaveLength(1);
  await wallet.ui('reject', { id: view.id, block: false });
  const { validUntil } = JSON.parse(held[0] ?? '{}');
  expect(await answer).toMatchObject({ error: { code: 4001, data: { status: 'refused', validUntil } } });
});

test('numbers far ahead are no reason to sign an order within a standing approval again', async () => {
  let held = 0;
  const lie: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    if (isPost(init) && pathname === '/api/v3/order') {
      held++;
      return refusal(102004);
    }
    if (pathname === '/api/v3/storageId' && held > 0) return Response.json({ orderId: 999_998 * held, offchainId: 1 });
    return fetch(input, init);
  };
  const stage = await setUp(relayer, { fetch: lie });
  await approveRequest(stage.wallet, 'relayer_requestStandingApproval', standingLimits());
  void stage.wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
  const view = await until(async () => {
    const open = await question(stage.wallet);
    return open.review?.warnings.find(({ rule }) => rule === 'storage-id-jump');
  });
  expect(view.text.values).toMatchObject({ named: { value: 999_998 } });
  expect(held).toBe(1);
});

test.each([102004, 102007])(
  'an order within a standing approval whose first answer was lost is not signed again when the repeat is refused with %i',
  async (code) => {
    const sent: string[] = [];
    const lie: typeof fetch = async (input, init) => {
      const { pathname } = new URL(String(input));
      if (isPost(init) && pathname === '/api/v3/order') {
        sent.push(String(init?.body));
        if (sent.length > 1) return refusal(code);
        await fetch(input, init);
        throw new TypeError('fetch failed');
      }
      if (sent.length > 0 && pathname === '/api/v3/storageId')
        return Response.json({ orderId: 1000, offchainId: 1001 });
      if (sent.length > 0 && !isPost(init) && pathname === '/api/v3/order') return refusal(107003);
      return fetch(input, init);
    };
    const stage = await setUp(relayer, { fetch: lie });
    await approveRequest(stage.wallet, 'relayer_requestStandingApproval', standingLimits());
    const outcome = await stage.wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    expect(outcome).toMatchObject({ error: { code: 4900, data: { status: 'unknown' } } });
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent).size).toBe(1);
    expect(await ordersOf(stage)).toHaveLength(1);
  },
);

// Last: it moves the relayer's clock.
test('what nobody ever finds expires when both clocks are past its end', async () => {
  const clock = movableClock();
  const lie: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    if (isPost(init) && pathname === '/api/v3/transfer') {
      if (clock.now() - Date.now() > 0 || sends++ > 0) return refusal(102011);
      throw new TypeError('fetch failed');
    }
    return fetch(input, init);
  };
  let sends = 0;
  const stage = await setUp(relayer, { now: clock.now, fetch: lie }, ['transfers']);
  const friend = await openOther(relayer);
  await approveRequest(stage.wallet, 'relayer_transfer', transferTo(friend.owner));
  const look = async () => {
    await stage.wallet.ui('unlock', { password: PASSWORD });
    await stage.wallet.background().onWake();
    return (await journalOf(stage).list())[0]?.state;
  };
  clock.advance(4_000_000);
  expect(await look()).toBe('sent');
  await moveRelayerClock(relayer, 4_000_000);
  clock.advance(700_000);
  expect(await until(async () => (await look()) === 'expired')).toBe(true);
});
