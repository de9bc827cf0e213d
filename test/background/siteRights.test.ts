import { beforeEach, describe, expect, test } from 'vitest';
import { connected } from '../../src/background/approvals/connected.ts';
import { connect, openStanding } from '../../src/background/approvals/grantApproved.ts';
import {
  blockSite,
  finishRightsChanges,
  grantsChanged,
  silenceSite,
  unblockSite,
} from '../../src/background/approvals/siteRights.ts';
import {
  approvedRequest,
  connection,
  createApprovalStage,
  NOW_MS,
  OTHER,
  pendingRequest,
  SITE,
} from './approvalStage.ts';
import { createStandingStage, standingOf } from './standingStage.ts';

const accountOf = (id: string, owner: string) => ({ id, networkId: 'net', owner });
const network = { id: 'net', name: 'Net', baseUrl: '', chainId: 1, exchangeAddress: '' };

interface Limits {
  readonly id: string;
  readonly origin: string;
  readonly account: string;
}

let stage: ReturnType<typeof createApprovalStage>;
let limits: Limits[];
let claim: string;
let told: unknown[];
beforeEach(() => {
  stage = createApprovalStage();
  limits = [
    { id: 'one', origin: SITE, account: 'a' },
    { id: 'two', origin: SITE, account: 'b' },
    { id: 'other', origin: OTHER, account: 'a' },
  ];
  claim = 'claimed';
  told = [];
});

const rooms = () => {
  const { calls, step, grants, approvals } = stage;
  return {
    grants,
    approvals,
    config: { read: async () => ({ networks: [network], accounts: [accountOf('a', '0xa'), accountOf('b', '0xb')] }) },
    standing: {
      active: async ({ origin }: { origin?: string } = {}) =>
        limits.filter((one) => one.origin === (origin ?? one.origin)).map((approval) => ({ approval })),
      async end(which: (approval: Limits) => boolean, reason: string) {
        const over = limits.filter(which);
        limits = limits.filter((approval) => !over.includes(approval));
        calls.push(['ended', ...over.map(({ id }) => id), reason]);
        return over;
      },
      open: step('opened'),
      get: async (id: string) => limits.find((one) => one.id === id),
    },
    closing: {
      async closeOf(origin: string, error: { message: string }, which: (approval: never) => boolean = () => true) {
        const open = (await approvals.listed()).filter((one) => one.origin === origin && which(one as never));
        calls.push(['closed', origin, error.message, ...open.map(({ id }) => id)]);
      },
    },
    badge: { refresh: step('badge') },
    rights: { changed: step('rights') },
    claim: async (id: string) => {
      calls.push(['claim', id]);
      return claim;
    },
    connected: step('connected'),
    continueRequest: async ({ id }: { id: string }) => void calls.push(['continue', id]),
    endings: { finish: step('finish') },
    ports: {
      lock: async (_name: string, work: () => unknown) => work(),
      local: stage.local.area,
      toUi: () => calls.push(['toUi']),
      async toAllPages(origin: string, message: { event: string; data: unknown }) {
        told.push([origin, message.event, message.data]);
      },
    },
  } as never;
};
const calls = () => stage.calls.splice(0);
const TAKEN = 'The permission for this request was taken back.';

describe('after a change of its rights', () => {
  test('its limits end first, what it could not ask any more is closed, and its pages are told', async () => {
    await stage.grants.grant(SITE, ['a'], ['read', 'orders', 'transfers']);
    await stage.approvals.put(pendingRequest({ id: 'may', account: 'a', requestIds: [] }));
    await stage.approvals.put(pendingRequest({ id: 'may not', account: 'b', requestIds: [] }));
    await grantsChanged(rooms(), SITE);
    expect(calls()).toEqual([['ended', 'two', 'permission'], ['toUi'], ['closed', SITE, TAKEN, 'may not'], ['badge']]);
    expect(limits.map(({ id }) => id)).toEqual(['one', 'other']);
    expect(told.slice(-2)).toEqual([
      [SITE, 'connect', { chainId: '0x1' }],
      [SITE, 'accountsChanged', ['0xa']],
    ]);
  });

  test('limits of orders need the right to orders, of the same account', async () => {
    await stage.grants.grant(SITE, ['b'], ['orders']);
    await stage.grants.extend(SITE, 'a', ['read']);
    await grantsChanged(rooms(), SITE);
    expect(limits.map(({ id }) => id)).toEqual(['two', 'other']);
  });

  test('a site that has none any more has nothing in progress', async () => {
    await stage.approvals.put(pendingRequest({ id: 'asked', account: 'a', requestIds: [] }));
    await grantsChanged(rooms(), SITE);
    expect(calls()).toContainEqual(['closed', SITE, TAKEN, 'asked']);
    expect(limits.map(({ id }) => id)).toEqual(['other']);
  });
});

describe('at a start', () => {
  beforeEach(async () => {
    await stage.grants.grant(SITE, ['a', 'b'], ['orders', 'transfers']);
    await stage.grants.grant(OTHER, ['a'], ['orders']);
    await stage.approvals.put(pendingRequest({ id: 'asked', account: 'a', requestIds: [] }));
  });

  test('nothing is done for sites that have all that they use', async () => {
    await finishRightsChanges(rooms());
    expect(calls()).toEqual([]);
  });

  test.each([
    ['a standing approval', 'b'],
    ['a pending approval', 'a'],
    ['what was approved and not signed', 'a'],
  ])('what follows from a change is done for a site that has %s without its permission', async (what, account) => {
    if (what.includes('approved and')) {
      limits = [];
      await stage.approvals.put(approvedRequest({ id: 'asked', account: 'a', requestIds: [] }));
    }
    limits = limits.filter(({ id }) => id !== 'one');
    await stage.grants.revokeAccount(SITE, account);
    await finishRightsChanges(rooms());
    expect(calls()).toEqual([['rights', SITE]]);
  });

  test('a site that is blocked is left to the end of that', async () => {
    await stage.grants.setBlocked(SITE, true);
    await finishRightsChanges(rooms());
    expect(calls()).toEqual([]);
  });
});

describe('a site that is blocked', () => {
  const isBlocked = async (origin = SITE) => (await stage.grants.of(origin))?.blocked ?? false;
  const CLOSED = ['closed', SITE, 'The user blocked this site.'];
  beforeEach(async () => {
    await stage.grants.grant(SITE, ['a', 'b'], ['read', 'orders']);
  });

  test('is silent first of all, and its limits end unheard', async () => {
    await silenceSite(rooms(), SITE);
    expect(await isBlocked()).toBe(true);
    expect(calls()).toEqual([['ended', 'one', 'two', 'permission']]);
    expect(told).toEqual([]);
  });

  test('has nothing in progress and sees nothing', async () => {
    await stage.grants.setBlocked(SITE, true);
    await blockSite(rooms(), SITE);
    expect(await isBlocked()).toBe(true);
    expect(calls()).toEqual([['ended', 'one', 'two', 'permission'], CLOSED, ['closed', SITE, TAKEN], ['badge']]);
    expect(await stage.grants.of(OTHER)).toBeUndefined();
  });

  test('sees again what was granted when it is no longer, and what was left of its limits has ended', async () => {
    await stage.grants.setBlocked(SITE, true);
    await unblockSite(rooms(), SITE);
    expect(await isBlocked()).toBe(false);
    expect(calls()).toEqual([['ended', 'one', 'two', 'permission'], CLOSED, ['closed', SITE, TAKEN], ['badge']]);
    expect(told).toContainEqual([SITE, 'accountsChanged', ['0xa', '0xb']]);
    expect(limits.map(({ id }) => id)).toEqual(['other']);
  });

  test('is silent, and stays so, while its limits cannot be ended', async () => {
    const end = async () => {
      throw new Error('the disk is full');
    };
    for (const change of [silenceSite, unblockSite]) {
      await stage.grants.setBlocked(SITE, change === unblockSite);
      await expect(change({ ...(rooms() as object), standing: { end } } as never, SITE)).rejects.toThrow('full');
      expect(await isBlocked()).toBe(true);
    }
  });
});

describe('a connection that was approved', () => {
  const approved = (changes: object = {}) =>
    connection({
      ...{ stage: 'approved', digest: '0x1', decidedAt: NOW_MS, requestIds: [] },
      ...{ chosen: { accounts: ['a', 'gone', 'b'], kinds: ['read', 'orders'] }, ...changes },
    }) as never;
  const grantsOf = async () =>
    (await stage.grants.of(SITE))?.grants.map(({ account, kinds }) => [account, [...kinds].sort()]) ?? [];

  test('grants what was chosen of the accounts that are there, then answers', async () => {
    await connect(rooms(), approved());
    expect(await grantsOf()).toEqual([
      ['a', ['orders', 'read']],
      ['b', ['orders', 'read']],
    ]);
    expect(calls()).toEqual([['claim', 'q'], ['connected', approved()], ['toUi']]);
  });

  test('puts the accounts of another network first', async () => {
    await stage.grants.grant(SITE, ['a'], ['nfts']);
    await connect(rooms(), approved({ switchTo: 'net', chosen: { accounts: ['b'], kinds: ['read'] } }));
    expect(await grantsOf()).toEqual([
      ['b', ['read']],
      ['a', ['nfts']],
    ]);
  });

  test('of one account takes nothing away from it', async () => {
    await stage.grants.grant(SITE, ['b', 'a'], ['nfts']);
    await connect(rooms(), approved({ account: 'a', chosen: { accounts: ['a'], kinds: ['read'] } }));
    expect(await grantsOf()).toEqual([
      ['b', ['nfts']],
      ['a', ['nfts', 'read']],
    ]);
  });

  test('takes the accounts away that were not chosen again', async () => {
    await stage.grants.grant(SITE, ['b', 'a'], ['nfts']);
    await connect(rooms(), approved({ chosen: { accounts: ['a'], kinds: ['read'] } }));
    expect(await grantsOf()).toEqual([['a', ['nfts', 'read']]]);
  });

  test('that was taken back grants nothing', async () => {
    claim = 'taken-back';
    await connect(rooms(), approved());
    expect(await grantsOf()).toEqual([]);
    expect(calls()).toEqual([['claim', 'q']]);
  });

  test('is answered with the accounts that the site sees, or with its permissions', async () => {
    await stage.grants.grant(SITE, ['a'], ['read']);
    await connected(rooms(), approved());
    expect(calls()).toEqual([
      ['finish', approved(), {}, { result: ['0xa'] }],
      ['rights', SITE],
    ]);
    await connected(rooms(), approved({ answers: 'permissions' }));
    expect(calls()[0]?.[3]).toMatchObject({
      result: [{ parentCapability: 'eth_accounts' }, { parentCapability: 'relayer_read' }],
    });
    await connected(rooms(), approved({ switchTo: 'net' }));
    expect(calls()[0]?.[3]).toEqual({ result: null });
  });

  test('goes on with the request that it was for, and with what else waited for it', async () => {
    const next = { method: 'relayer_submitOrder', params: [] };
    const asked = (id: string, changes: object = {}) =>
      stage.approvals.put(connection({ id, requestIds: [], next, ...changes }));
    await asked('waits too');
    await asked('of another', { origin: OTHER });
    await asked('for itself', { next: undefined });
    await stage.approvals.put(pendingRequest({ id: 'a request', requestIds: [] }));
    await connected(rooms(), approved({ next }));
    expect(calls()).toEqual([
      ['rights', SITE],
      ['continue', 'q'],
      ['continue', 'waits too'],
    ]);
  });
});

describe('limits that were approved', () => {
  const terms = { operations: ['cancelOrder'], validUntil: 5 };
  const approval = {
    id: 'q',
    origin: SITE,
    account: 'a',
    draft: { body: terms, shown: { market: 'LRC-ETH' } },
  } as never;

  test('are opened until the lock, then answered', async () => {
    await openStanding(rooms(), approval);
    const rule = { id: 'q', origin: SITE, account: 'a', terms, shown: { market: 'LRC-ETH' }, endsWithLock: true };
    expect(calls()).toEqual([
      ['claim', 'q'],
      ['opened', rule],
      ['finish', approval, {}, { result: { id: 'q', validUntil: 5 } }],
      ['rights', SITE],
    ]);
  });

  test('are not answered when they cannot be opened', async () => {
    const standing = {
      get: async () => undefined,
      async open() {
        throw new Error('the disk is full');
      },
    };
    await expect(openStanding({ ...(rooms() as object), standing } as never, approval)).rejects.toThrow('full');
    expect(calls()).toEqual([['claim', 'q']]);
  });

  test('that ended before their answer are answered with an error', async () => {
    const { standing } = createStandingStage();
    const opened = standingOf('q');
    await standing.open(opened);
    await standing.end(() => true, 'lock');
    const again = { ...opened, draft: { body: opened.terms, shown: opened.shown } } as never;
    await openStanding({ ...(rooms() as object), standing } as never, again);
    const message = 'The standing approval has ended.';
    expect(calls()).toEqual([
      ['claim', 'q'],
      [
        'finish',
        again,
        { problem: { key: 'problem_standingEnded' } },
        { error: { code: 4100, message, data: { reason: 'revoked' } } },
      ],
      ['rights', SITE],
    ]);
  });

  test('are not opened once they were taken back', async () => {
    claim = 'taken-back';
    await openStanding(rooms(), approval);
    expect(calls()).toEqual([['claim', 'q']]);
  });
});
