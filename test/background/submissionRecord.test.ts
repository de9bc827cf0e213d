import { describe, expect, test } from 'vitest';
import { activityItem } from '../../src/background/rpc/ui/activityItem.ts';
import { laggingClock } from '../../src/background/submissions/bothClocks.ts';
import { approvalIdOf } from '../../src/background/submissions/outcome.ts';
import { planWake } from '../../src/background/submissions/planWake.ts';
import { refusalText } from '../../src/background/submissions/refusalText.ts';
import {
  awaitedHash,
  hasExpired,
  isHandedOver,
  isIdTaken,
  saidOtherHash,
  submittedRequest,
} from '../../src/background/submissions/submissionRecord.ts';
import { createRelayerClient } from '../../src/client/index.ts';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { relayerErrors } from '../../src/protocol/index.ts';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const config = { accounts: [], claimed: [], networks: [] };
const HASH = `0x${'0a'.repeat(32)}`;

const recordOf = (changes: Partial<SubmissionRecord> = {}): SubmissionRecord => ({
  ...{ version: 3, id: 'one', seq: 1, networkId: 'net', accountId: 7, origin: 'https://site.example' },
  ...{ requestId: 'request', operation: 'transfer', draft: { asked: 1 }, reviewDigest: '0x1', state: 'sent' },
  history: [{ state: 'approved', at: NOW }],
  ...changes,
});
const refusedWith = (code: number | string) => ({ code, message: 'no', outcome: 'refused' as const });
const wire = (body: object) => ({ endpoint: 'submitTransfer', bodyText: JSON.stringify(body) });

describe('a submission may be put aside', () => {
  test('two minutes after its end, by the clock that is behind', () => {
    const record = recordOf({ validUntil: NOW / 1000 });
    expect(hasExpired(record, NOW + 120_000)).toBe(false);
    expect(hasExpired(record, NOW + 120_001)).toBe(true);
  });

  test('a day after it was approved, when it has no end', () => {
    expect(hasExpired(recordOf(), NOW + DAY)).toBe(false);
    expect(hasExpired(recordOf(), NOW + DAY + 1)).toBe(true);
  });
});

test('another hash that the relayer once named is not forgotten', () => {
  const said = { state: 'acknowledged', at: NOW, note: `the relayer reports the hash ${HASH}` } as const;
  const later = { state: 'acknowledged', at: NOW, note: 'something else' } as const;
  expect(saidOtherHash(recordOf())).toBe(false);
  expect(saidOtherHash(recordOf({ history: [later] }))).toBe(false);
  expect(saidOtherHash(recordOf({ history: [said, later] }))).toBe(true);
});

describe('a hash waits for its approval on layer 1', () => {
  const refused = { wire: wire({ hashApproved: HASH }), error: refusedWith(104_005) };

  test('after the relayer refused the signature, in a request as in the transfer of one', () => {
    expect(awaitedHash(recordOf(refused))).toBe(HASH);
    expect(awaitedHash(recordOf({ ...refused, wire: wire({ transfer: { hashApproved: HASH } }) }))).toBe(HASH);
  });

  test('but not before, nor after another refusal, nor when it has an end, nor where there is none', () => {
    expect(awaitedHash(recordOf({ wire: refused.wire }))).toBeNull();
    expect(awaitedHash(recordOf({ ...refused, error: refusedWith(102_011) }))).toBeNull();
    expect(awaitedHash(recordOf({ ...refused, state: 'processed' }))).toBeNull();
    expect(awaitedHash(recordOf({ ...refused, wire: wire({}) }))).toBeNull();
  });
});

test('a contract is told no hash that another key of the account has signed', () => {
  const [publicKey, other] = [
    { x: '0x1', y: '0x2' },
    { x: '0x3', y: '0x4' },
  ];
  const account = { id: 'net:7', owner: HASH, publicKey };
  const places = { ...config, accounts: [account], networks: [{ id: 'net' }] } as never;
  const told = (changes: Partial<SubmissionRecord>) => {
    const waits = { wire: wire({ hashApproved: HASH }), error: refusedWith(104_005), ...changes };
    return activityItem(recordOf(waits), undefined, places).approveHash?.hash;
  };
  expect(told({})).toBe(HASH);
  expect(told({ publicKey: { x: '0x01', y: '0x02' } })).toBe(HASH);
  expect(told({ publicKey: other })).toBeUndefined();
  expect(told({ publicKey: other, operation: 'updateAccountKey' })).toBe(HASH);
});

test('an operation sees what was approved, what was signed, and what was answered', () => {
  expect(submittedRequest(recordOf())).toEqual({
    ...{ accountId: 7, hash: null, body: { asked: 1 }, signedBody: {}, query: {}, ack: {} },
  });
  const sent = { ...wire({ signed: 2 }), query: { sought: '3' } };
  expect(submittedRequest(recordOf({ hash: HASH, wire: sent, ack: { answered: 4 } }))).toEqual({
    ...{ accountId: 7, hash: HASH, body: { asked: 1 } },
    ...{ signedBody: { signed: 2 }, query: { sought: '3' }, ack: { answered: 4 } },
  });
});

test('every request of one approval is told under the number of the approval', () => {
  expect(approvalIdOf({ requestId: 'request' })).toBe('request');
  expect(approvalIdOf({ requestId: 'request/2' })).toBe('request');
});

describe('a refusal', () => {
  const error = refusedWith(102_011);
  const values = {
    code: { kind: 'text', text: '102011' },
    name: { kind: 'text', text: 'BALANCE_INSUFFICIENT' },
    action: { kind: 'message', key: 'relayer_BALANCE_INSUFFICIENT' },
  };

  test('says until when the signature can still be used', () => {
    expect(refusalText(recordOf({ state: 'refused', error, validUntil: 5 }))).toEqual({
      key: 'problem_refusedUntil',
      values: { ...values, until: { kind: 'time', seconds: 5 } },
    });
  });

  test('says no time when there is none, and after a failure when the signature had ended', () => {
    expect(refusalText(recordOf({ state: 'refused', error }))).toEqual({ key: 'problem_refused', values });
    expect(refusalText(recordOf({ state: 'failed', error, validUntil: NOW / 1000 }))).toEqual({
      key: 'problem_refused',
      values,
    });
    expect(refusalText(recordOf({ state: 'failed', error, validUntil: NOW / 1000 + 1 }))).toEqual({
      key: 'problem_endedUntil',
      values: { until: { kind: 'time', seconds: NOW / 1000 + 1 } },
    });
  });
});

test('a request that failed after it was taken names no refusal, also when an earlier attempt had no answer', () => {
  for (const error of [undefined, { code: 'timeout', message: 'no answer' }, refusedWith(102_014)]) {
    const record = recordOf({ state: 'failed', ...(error && { error }) });
    expect(activityItem(record, undefined, config).problem).toBeNull();
  }
});

test('an entry carries what is special about its operation', () => {
  const marks = (operation: string) => {
    const { group, picture, handsOver } = activityItem(recordOf({ operation }), undefined, config);
    return [group, picture, handsOver];
  };
  expect(marks('transfer')).toEqual(['moves', undefined, undefined]);
  expect(marks('withdraw')).toEqual(['moves', 'withdraw', undefined]);
  expect(marks('hardCancel')).toEqual(['orders', 'cross', undefined]);
  expect(marks('signNftOrder')).toEqual(['nfts', undefined, true]);
  for (const ack of [undefined, { status: '' }, { status: 'processed' }]) {
    const ended = recordOf({ operation: 'signNftOrder', state: 'processed', ...(ack && { ack }) });
    expect(activityItem(ended, undefined, config).handsOver).toBe(ack?.status === 'processed' ? undefined : true);
  }
  expect(marks('another version has it')).toEqual([null, undefined, undefined]);
});

test('a signed order is handed over until the relayer says that it was filled, or another end', () => {
  const handed = (changes: Partial<SubmissionRecord>) =>
    isHandedOver(recordOf({ operation: 'signNftOrder', ...changes }));
  expect(handed({ state: 'processed' })).toBe(true);
  expect(handed({ state: 'processed', ack: { status: '' } })).toBe(true);
  expect(handed({ state: 'processed', ack: { status: 'processed' } })).toBe(false);
  expect(handed({ state: 'cancelled', ack: { status: 'cancelled' } })).toBe(false);
  expect(handed({ state: 'processed', operation: 'submitOrder' })).toBe(false);
});

describe('what the exchange calls ended is said to be valid', () => {
  const until = NOW / 1000 + 60;
  const problemOf = (changes: Partial<SubmissionRecord>) =>
    activityItem(recordOf({ validUntil: until, ...changes }), undefined, config).problem;
  const said = (key: string, seconds = until) => ({ key, values: { until: { kind: 'time', seconds } } });

  test('of an order that its site has, until it expires or is filled', () => {
    const held = { operation: 'signNftOrder', state: 'processed' } as const;
    expect(problemOf(held)).toEqual(said('warning_validityLong'));
    expect(problemOf({ ...held, ack: { status: 'processed' } })).toBeNull();
  });

  test('of a cancelled order, until it expires', () => {
    const cancelled = { operation: 'submitOrder', state: 'cancelled' } as const;
    expect(problemOf(cancelled)).toEqual(said('problem_endedUntil'));
    expect(problemOf({ ...cancelled, history: [{ state: 'cancelled', at: NOW + 60_000 }] })).toBeNull();
  });

  test('of an order whose permanent cancellation traded nothing', () => {
    const failed = { operation: 'hardCancel', state: 'failed' } as const;
    expect(problemOf({ ...failed, shown: { signedUntil: until + 9 } })).toEqual(
      said('problem_onlyCancelled', until + 9),
    );
    expect(problemOf({ ...failed, shown: {} })).toEqual(said('problem_endedUntil'));
    expect(problemOf({ ...failed, shown: { signedUntil: NOW / 1000 } })).toEqual(said('problem_endedUntil'));
  });
});

test('what was discarded after its signature is not called unsigned', () => {
  const problemOf = (changes: Partial<SubmissionRecord>) =>
    activityItem(recordOf(changes), undefined, config).problem?.key;
  expect(problemOf({ state: 'abandoned' })).toBe('problem_abandoned');
  expect(problemOf({ state: 'abandoned', wire: wire({}) })).toBe('problem_discarded');
});

describe('the clock that is behind', () => {
  const behind = (now: number, answer: () => Promise<Response>) => {
    const client = createRelayerClient({ baseUrl: 'https://relayer.example', fetch: answer, sleep: async () => {} });
    return laggingClock({ relayers: { client: () => client }, ports: { now: () => now } }, {} as never);
  };

  test('is that of the machine or that of the relayer', async () => {
    expect(await behind(NOW, async () => Response.json({ timestamp: NOW - 5 }))).toBe(NOW - 5);
    expect(await behind(NOW - 9, async () => Response.json({ timestamp: NOW - 5 }))).toBe(NOW - 9);
  });

  test('is not known when that of the relayer is more than a day behind', async () => {
    const day = 86_400_000;
    expect(await behind(NOW, async () => Response.json({ timestamp: NOW - day }))).toBe(NOW - day);
    expect(await behind(NOW, async () => Response.json({ timestamp: NOW - day - 1 }))).toBeNull();
    expect(await behind(NOW, async () => Response.json({ timestamp: 0 }))).toBeNull();
  });

  test('is not known while the relayer does not answer; another failure is one', async () => {
    expect(await behind(NOW, () => Promise.reject(new TypeError('Failed to fetch')))).toBeNull();
    const broken = { relayers: { client: () => ({}) as never }, ports: { now: () => NOW } };
    await expect(laggingClock(broken, {} as never)).rejects.toBeInstanceOf(TypeError);
  });
});

describe('the worker is woken', () => {
  const none = { list: async () => [] };
  async function plan(lockAt: number | undefined, lookAt: number | undefined, ...stages: string[]) {
    return planBeside(none, lockAt, lookAt, ...stages);
  }
  async function planBeside(standing: object, lockAt?: number, lookAt?: number, ...stages: string[]) {
    const alarms: number[] = [];
    await planWake({
      vault: { lockDeadline: async () => lockAt },
      submissions: { nextDueAt: async () => lookAt },
      approvals: { unsettled: async () => stages.map((stage) => ({ stage })) as never },
      standing: standing as typeof none,
      ports: { now: () => NOW, wakeAt: (at) => alarms.push(at) },
    });
    return alarms;
  }

  test('for the first of the lock, the next look, and an approval request that is not complete or not carried out', async () => {
    expect(await plan(NOW + 90_000, undefined)).toEqual([NOW + 90_000]);
    expect(await plan(NOW + 90_000, NOW + 30_000)).toEqual([NOW + 30_000]);
    expect(await plan(NOW + 90_000, NOW + 95_000)).toEqual([NOW + 90_000]);
    expect(await plan(NOW + 90_000, NOW + 30_000, 'ready', 'waiting')).toEqual([NOW + 10_000]);
    expect(await plan(NOW + 90_000, undefined, 'approved')).toEqual([NOW + 10_000]);
    expect(await plan(NOW + 90_000, NOW + 5_000, 'approved')).toEqual([NOW + 5_000]);
  });

  test('for the first end of a standing approval that is ahead', async () => {
    const standing = (validUntil: number, ended: object | null = null) => ({ ended, terms: { validUntil } });
    const list = async () => [
      ...[standing(NOW / 1000 + 60), standing(NOW / 1000 + 50), standing(NOW / 1000 + 40, { reason: 'user' })],
      // Could not be ended: that is tried again at the next wake-up for something else.
      standing(NOW / 1000),
    ];
    expect(await planBeside({ list }, NOW + 90_000)).toEqual([NOW + 50_000]);
    expect(await planBeside({ list }, NOW + 30_000)).toEqual([NOW + 30_000]);
  });

  test('in ten seconds when a store cannot be read', async () => {
    const alarms: number[] = [];
    await planWake({
      vault: { lockDeadline: () => Promise.reject(new Error('no store')) },
      submissions: { nextDueAt: async () => undefined },
      approvals: { unsettled: async () => [] },
      standing: none,
      ports: { now: () => NOW, wakeAt: (at) => alarms.push(at) },
    });
    expect(alarms).toEqual([NOW + 10_000]);
  });

  test('for nothing that the user has to decide, and not while the wallet is locked', async () => {
    expect(await plan(NOW + 90_000, undefined, 'ready', 'unavailable', 'choosing')).toEqual([NOW + 90_000]);
    expect(await plan(undefined, NOW + 30_000, 'approved')).toEqual([]);
  });
});

test('four refusals say that a number was used before, as long as they are the last word', () => {
  const taken = Object.entries(relayerErrors).filter(([, { code }]) =>
    isIdTaken(recordOf({ state: 'refused', error: refusedWith(code) })),
  );
  const names = taken.map(([name]) => name).sort();
  expect(names).toEqual(['NONCE_INVALID', 'ORDER_EXISTS', 'ORDER_ID_INVALID', 'STORAGE_ID_INVALID']);
  expect(isIdTaken(recordOf({ state: 'sent', error: refusedWith(relayerErrors.ORDER_EXISTS.code) }))).toBe(false);
  expect(isIdTaken(recordOf({ state: 'refused', error: refusedWith('timeout') }))).toBe(false);
  expect(isIdTaken(recordOf({ state: 'refused' }))).toBe(false);
});
