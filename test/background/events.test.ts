import { describe, expect, test } from 'vitest';
import { createMutex } from '../../src/background/lifecycle/mutex.ts';
import { createStatusEvents } from '../../src/background/submissions/events.ts';
import { ENDED_HANDED_OVER } from '../../src/background/submissions/submissionRecord.ts';
import { ENDED_UNSEEN, type SubmissionRecord } from '../../src/journal/index.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { listenForReports } from '../../src/report/report.ts';

const SITE = 'https://site.example';
const HASH = `0x${'0a'.repeat(32)}`;

const recordOf = (changes: Partial<SubmissionRecord> = {}): SubmissionRecord => ({
  ...{ version: 3, id: 'one', seq: 1, networkId: 'net', accountId: 7, origin: SITE },
  ...{ requestId: 'request', operation: 'transfer', draft: {}, reviewDigest: '0x1', state: 'acknowledged' },
  wire: { endpoint: 'submitTransfer' },
  history: [{ state: 'approved', at: 1 }],
  ...changes,
});

function stage() {
  const state = {
    stage: undefined as string | undefined,
    isDamaged: false,
    grants: [{}] as object[] | undefined,
    notifications: true,
    record: undefined as SubmissionRecord | undefined,
    browser: async (): Promise<void> => {},
  };
  const asked: string[] = [];
  const notified: unknown[][] = [];
  const told: unknown[][] = [];
  const send = createStatusEvents(
    {
      approvals: {
        get: async (id: string) => {
          asked.push(id);
          if (state.isDamaged) throw new Error('not readable');
          return state.stage === undefined ? undefined : { stage: state.stage };
        },
      } as never,
      config: { read: async () => ({ settings: { notifications: state.notifications, language: 'de' } }) } as never,
      grants: {
        of: async (origin: string) => (origin === SITE && state.grants ? { grants: state.grants } : undefined),
      } as never,
      journal: {
        byRequest: async (_origin, id) => (state.record?.requestId === id ? state.record : undefined),
        list: async () => [],
      },
      ports: {
        notify: (...given: unknown[]) => {
          notified.push(given);
          return state.browser();
        },
        toAllPages: async (...given: unknown[]) => {
          told.push(given);
        },
      } as never,
    },
    createMutex(),
  );
  /** Nobody waits for a notification. */
  const tell = async (...of: Parameters<typeof send>) => {
    await send(...of);
    await new Promise((soon) => setTimeout(soon));
  };
  return { state, asked, notified, told, tell };
}

const eventOf = (status: string, changes: object = {}) => [
  SITE,
  {
    event: 'message',
    data: { type: 'relayer_status', data: { requestId: 'request', hash: null, status, ...changes } },
  },
];

describe('the pages of the asking site', () => {
  test('are told each status once, under the number of the approval', async () => {
    const { asked, told, tell } = stage();
    await tell(recordOf({ requestId: 'request/2', hash: HASH }));
    await tell(recordOf({ requestId: 'request/2', hash: HASH }));
    expect(asked).toEqual(['request', 'request']);
    expect(told).toEqual([eventOf('acknowledged', { hash: HASH })]);
    await tell(recordOf({ state: 'sent' }));
    // What is signed and what is sent have one status.
    await tell(recordOf({ state: 'signed' }));
    await tell(recordOf({ state: 'processed' }));
    expect(told.slice(1)).toEqual([eventOf('unknown'), eventOf('processed')]);
    await tell(recordOf({ id: 'two', state: 'processed' }));
    expect(told).toHaveLength(4);
  });

  test('are told again of what was told a thousand statuses ago, which nobody remembers', async () => {
    const { told, tell } = stage();
    await tell(recordOf());
    // Each is remembered for the user and for its pages.
    for (let n = 0; n < 500; n++) await tell(recordOf({ id: `id ${n}`, requestId: `request ${n}` }));
    await tell(recordOf({ id: 'id 1', requestId: 'request 1' }));
    expect(told).toHaveLength(501);
    await tell(recordOf());
    expect(told).toHaveLength(502);
  });

  test('are told until when a request can still be carried out of which the relayer says that nothing came', async () => {
    const { told, tell } = stage();
    const ends = (state: SubmissionRecord['state'], at: number) =>
      recordOf({ id: `${state} ${at}`, state, validUntil: 2, history: [{ state, at }] });
    for (const state of ['failed', 'expired', 'refused', 'sent'] as const) await tell(ends(state, 1_999));
    const until = { validUntil: 2 };
    expect(told).toEqual(['failed', 'expired', 'refused', 'unknown'].map((status) => eventOf(status, until)));
    for (const state of ['acknowledged', 'processed', 'cancelled'] as const) await tell(ends(state, 1_999));
    // What failed when its signature had ended is over.
    await tell(ends('failed', 2_000));
    expect(told.slice(4)).toEqual(
      ['acknowledged', 'processed', 'cancelled', 'failed'].map((status) => eventOf(status)),
    );
  });

  test('are told nothing before the request is answered', async () => {
    const { state, notified, told, tell } = stage();
    for (const unanswered of ['waiting', 'ready', 'approved']) {
      state.stage = unanswered;
      await tell(recordOf({ state: 'processed' }));
    }
    expect([told, notified]).toEqual([[], []]);
    state.stage = 'done';
    await tell(recordOf({ state: 'processed' }));
    expect(told).toEqual([eventOf('processed')]);
    state.stage = 'closed';
    await tell(recordOf({ id: 'two', state: 'failed' }));
    expect(told[1]).toEqual(eventOf('failed'));
  });

  test.each([
    ['blocked', []],
    ['disconnected', undefined],
  ])('are told nothing while the site is %s; the user still is', async (_how, none) => {
    const { state, notified, told, tell } = stage();
    state.grants = none;
    await tell(recordOf({ state: 'processed' }));
    expect(told).toEqual([]);
    expect(notified).toHaveLength(1);
    state.grants = [{}];
    await tell(recordOf({ state: 'failed' }));
    expect(told).toEqual([eventOf('failed')]);
  });

  test('are told nothing of what the wallet asked itself', async () => {
    const { notified, told, tell } = stage();
    await tell(recordOf({ origin: OWN_ORIGIN, state: 'processed' }));
    expect(told).toEqual([]);
    expect(notified).toHaveLength(1);
  });

  test('hear what the journal says, and the user is notified of it, when the teller knows less', async () => {
    const { state, notified, told, tell } = stage();
    state.record = recordOf({ state: 'processed' });
    await tell(recordOf());
    expect(told).toEqual([eventOf('processed')]);
    expect(notified).toHaveLength(1);
  });

  test('hear each status once and in order, whatever the browser does with a notification', async () => {
    const { state, notified, told, tell } = stage();
    state.browser = () => new Promise(() => {});
    const failed = recordOf({ state: 'failed' });
    state.record = failed;
    await tell(failed);
    const processed = recordOf({ state: 'processed' });
    state.record = processed;
    await Promise.all([tell(processed), tell(failed), tell(processed, true)]);
    expect(told).toEqual([eventOf('failed'), eventOf('processed')]);
    expect(notified.map(([, , text]) => text)).toEqual(['statusFailedMeaning', 'statusProcessedMeaning']);
  });

  test('hear a status also when the approval cannot be read', async () => {
    const { state, notified, told, tell } = stage();
    const traces: string[] = [];
    listenForReports(({ where }) => traces.push(where));
    state.isDamaged = true;
    await tell(recordOf({ state: 'processed' }));
    expect(told).toEqual([eventOf('processed')]);
    expect(notified).toHaveLength(1);
    expect(traces).toEqual(['submissions: approval']);
  });

  test('are told again alone, and the user is notified when the end is told to both', async () => {
    const { notified, told, tell } = stage();
    const ended = recordOf({ state: 'processed' });
    await tell(ended, true);
    expect([told.length, notified.length]).toEqual([1, 0]);
    await tell(ended);
    expect([told.length, notified.length]).toEqual([1, 1]);
  });
});

describe('the user', () => {
  test.each([
    ['processed', 'statusProcessedMeaning'],
    ['failed', 'statusFailedMeaning'],
    ['expired', 'statusExpiredMeaning'],
    ['cancelled', 'statusCancelledMeaning'],
    ['refused', 'statusRefusedMeaning'],
  ] as const)('is notified of the end %s in the words of the chosen language', async (state, text) => {
    const { notified, tell } = stage();
    await tell(recordOf({ state }));
    expect(notified).toEqual([['one', 'operation_transfer', text, 'de']]);
  });

  test('is not told that nothing was done where nobody has said how it ended', async () => {
    const { notified, tell } = stage();
    const history = [{ state: 'expired' as const, at: 1, note: ENDED_UNSEEN }];
    await tell(recordOf({ state: 'expired', history }));
    expect(notified).toEqual([['one', 'operation_transfer', 'statusExpiredUnknown', 'de']]);
  });

  test.each([
    [ENDED_HANDED_OVER, 'statusExpiredUnknown'],
    [`${ENDED_HANDED_OVER}: cancelled`, 'statusExpiredMeaning'],
  ])('is not told that an order is done which its site had to its end: %s', async (note, text) => {
    const { notified, tell } = stage();
    const handed = recordOf({ operation: 'signNftOrder', state: 'processed' });
    await tell(handed);
    await tell({ ...handed, history: [{ state: 'processed', at: 1, note }] });
    expect(notified.map(([, , told]) => told)).toEqual(['statusHandedOverMeaning', text]);
  });

  test('is told of a signed order that its site has until the exchange has carried it out', async () => {
    const { notified, tell } = stage();
    for (const [id, ack] of [
      ['held', undefined],
      ['filled', { status: 'processed' }],
    ] as const)
      await tell(recordOf({ id, operation: 'signNftOrder', state: 'processed', ...(ack && { ack }) }));
    expect(notified.map(([, , text]) => text)).toEqual(['statusHandedOverMeaning', 'statusProcessedMeaning']);
  });

  test('is told that a withdrawal has left the exchange, not that it is complete', async () => {
    const { notified, tell } = stage();
    for (const operation of ['withdraw', 'withdrawNft'])
      await tell(recordOf({ id: operation, operation, state: 'processed' }));
    await tell(recordOf({ id: 'failed', operation: 'withdraw', state: 'failed' }));
    expect(notified.map(([, , text]) => text)).toEqual([
      'statusLeftMeaning',
      'statusLeftMeaning',
      'statusFailedMeaning',
    ]);
  });

  test('is told that a cancellation is not complete when orders had ended before it', async () => {
    const { notified, tell } = stage();
    const hashes = ['1', '2'].map((digit) => `0x${digit.repeat(64)}`);
    const wire = { endpoint: 'cancelOrdersByHash', query: { orderHash: hashes.join(',') }, signature: '0x1' } as const;
    for (const results of [[true, true], [true, false], [false, false], []])
      await tell(
        recordOf({
          ...{ id: results.join(' '), operation: 'cancelAllOrders', state: 'processed', wire },
          ack: results.map((result, index) => ({ id: hashes[index], result })) as never,
        }),
      );
    expect(notified.map(([, , text]) => text)).toEqual([
      'statusProcessedMeaning',
      'statusFailedMeaning',
      'statusFailedMeaning',
      'statusProcessedMeaning',
    ]);
  });

  test('is notified that what was signed never left, unless it is asked again', async () => {
    const { state, notified, tell } = stage();
    state.stage = 'waiting';
    for (const origin of [SITE, OWN_ORIGIN]) await tell(recordOf({ id: origin, origin, state: 'abandoned' }));
    expect(notified).toEqual([]);
    state.stage = 'done';
    await tell(recordOf({ state: 'abandoned' }));
    expect(notified).toEqual([['one', 'operation_transfer', 'statusAbandonedMeaning', 'de']]);
  });

  test('is notified that a request of the wallet was refused, before it is asked again', async () => {
    const { state, notified, tell } = stage();
    for (const unsettled of ['approved', 'choosing']) {
      state.stage = unsettled;
      await tell(recordOf({ origin: OWN_ORIGIN, state: 'refused' }));
      await tell(recordOf({ id: 'site', state: 'refused' }));
    }
    expect(notified).toEqual([['one', 'operation_transfer', 'statusRefusedMeaning', 'de']]);
  });

  test('is not notified of what is open or was never signed, nor without wanting to be', async () => {
    const { state, notified, told, tell } = stage();
    for (const open of ['sent', 'acknowledged'] as const) await tell(recordOf({ state: open }));
    const { wire: _, ...unsigned } = recordOf({ state: 'abandoned' });
    await tell(unsigned);
    state.notifications = false;
    await tell(recordOf({ state: 'processed' }));
    expect(notified).toEqual([]);
    expect(told).toHaveLength(4);
  });

  test('is not notified when the browser refuses; the site is told all the same, and a trace is left', async () => {
    const { state, told, tell } = stage();
    const traces: string[] = [];
    listenForReports(({ where }) => traces.push(where));
    state.browser = () => Promise.reject(new Error('no notifications here'));
    await tell(recordOf({ state: 'processed' }));
    expect(told).toEqual([eventOf('processed')]);
    expect(traces).toEqual(['submissions: notify']);
  });
});
