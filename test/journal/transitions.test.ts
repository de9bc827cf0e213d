import { describe, expect, it } from 'vitest';
import {
  isFinal,
  isUnknown,
  mayHaveArrivedBefore,
  type SubmissionRecord,
  type SubmissionState,
  submissionStates,
} from '../../src/journal/index.ts';
import { ENDED_WITH_ACCOUNT, statuses, statusOf } from '../../src/journal/lifecycle.ts';
import { advance, mayStillHappen, transitions } from '../../src/journal/transitions.ts';
import { createHarness, draftOf, payload, slotRequest } from './harness.ts';

type Journal = ReturnType<ReturnType<typeof createHarness>['start']>;

/** How a test brings a submission into a state, and how it tries to. */
const moves: Partial<Record<SubmissionState, (journal: Journal, id: string) => Promise<unknown>>> = {
  signed: (journal, id) => journal.markSigned(id, payload),
  sent: (journal, id) => journal.markSent(id),
  acknowledged: (journal, id) => journal.markAcknowledged(id, { status: 'processing' }),
  processed: (journal, id) => journal.markFinal(id, 'processed', { ack: { status: 'processed' } }),
  failed: (journal, id) => journal.markFinal(id, 'failed'),
  expired: (journal, id) => journal.markFinal(id, 'expired'),
  cancelled: (journal, id) => journal.markFinal(id, 'cancelled'),
  abandoned: (journal, id) => journal.markAbandoned(id, 'given up'),
  refused: (journal, id) => journal.markRefused(id, { code: 102120, name: 'x', message: 'Order is not valid' }),
};

const paths: Partial<Record<SubmissionState, SubmissionState[]>> = {
  reserved: [],
  signed: ['signed'],
  sent: ['signed', 'sent'],
  acknowledged: ['signed', 'sent', 'acknowledged'],
  processed: ['signed', 'sent', 'processed'],
  failed: ['signed', 'sent', 'failed'],
  expired: ['signed', 'sent', 'expired'],
  cancelled: ['signed', 'sent', 'cancelled'],
  abandoned: ['abandoned'],
  refused: ['signed', 'sent', 'refused'],
};

async function submissionIn(state: SubmissionState) {
  const journal = createHarness().start();
  const { id } = await journal.reserve(draftOf(), { slot: slotRequest });
  for (const step of paths[state] ?? []) await moves[step]?.(journal, id);
  return { journal, id };
}

describe('state machine', () => {
  const pairs = (Object.keys(paths) as SubmissionState[]).flatMap((from) =>
    (Object.keys(moves) as SubmissionState[]).map((to) => [from, to] as const),
  );

  it.each(pairs)('%s → %s is as the table says', async (from, to) => {
    const { journal, id } = await submissionIn(from);
    const before = await journal.get(id);
    expect(before?.state).toBe(from);
    const attempt = moves[to]?.(journal, id);
    if (transitions[from].includes(to)) {
      await attempt;
      expect((await journal.get(id))?.state).toBe(to);
      expect((await journal.get(id))?.history.at(-1)?.state).toBe(to);
    } else {
      await expect(attempt).rejects.toMatchObject({
        code: to === 'signed' && before?.wire ? 'already-signed' : 'illegal-transition',
        submissionId: id,
        message: expect.stringContaining(`submission ${id}`),
      });
      expect(await journal.get(id)).toEqual(before);
    }
  });

  it('is frozen', () => {
    expect(transitions).toMatchInlineSnapshot(`
      {
        "abandoned": [],
        "acknowledged": [
          "acknowledged",
          "processed",
          "failed",
          "expired",
          "cancelled",
        ],
        "approved": [
          "reserved",
        ],
        "cancelled": [
          "acknowledged",
          "processed",
          "failed",
          "expired",
        ],
        "expired": [
          "acknowledged",
          "processed",
          "failed",
          "cancelled",
        ],
        "failed": [
          "acknowledged",
          "processed",
          "expired",
          "cancelled",
        ],
        "processed": [
          "processed",
        ],
        "refused": [
          "acknowledged",
          "processed",
          "failed",
          "expired",
          "cancelled",
        ],
        "reserved": [
          "signed",
          "abandoned",
        ],
        "sent": [
          "sent",
          "acknowledged",
          "refused",
          "processed",
          "failed",
          "expired",
          "cancelled",
        ],
        "signed": [
          "sent",
          "acknowledged",
          "refused",
          "abandoned",
          "processed",
          "failed",
          "expired",
          "cancelled",
        ],
      }
    `);
    expect(submissionStates.filter(isFinal)).toEqual([
      'processed',
      'failed',
      'expired',
      'cancelled',
      'abandoned',
      'refused',
    ]);
  });

  it('a page is told that a status is the last one exactly when it is', () => {
    expect(submissionStates.map((state) => [state, statusOf({ state })]).filter(([a, b]) => a !== b)).toEqual([
      ['signed', 'unknown'],
      ['sent', 'unknown'],
    ]);
    for (const state of submissionStates) expect(statuses[statusOf({ state })].final, state).toBe(isFinal(state));
    const history = [{ note: 'sent' }, { note: `${ENDED_WITH_ACCOUNT}, unconfirmed` }];
    expect(statusOf({ state: 'expired', history })).toBe('unknown');
    expect(statusOf({ state: 'expired', history: history.toReversed() })).toBe('expired');
    const note = 'its account is unknown to the relayer after its end';
    expect(statusOf({ state: 'expired', history: [{ note }] }), 'of an earlier version').toBe('unknown');
    expect(statusOf({ state: 'abandoned', history })).toBe('abandoned');
    expect(Object.keys(statuses).filter((name) => !submissionStates.some((state) => state === name))).toEqual([
      'pending',
      'unknown',
      'closed',
    ]);
    expect([statuses.pending.final, statuses.unknown.final, statuses.closed.final]).toEqual([false, false, true]);
    expect(Object.keys(transitions)).toEqual(submissionStates);
  });

  it('keeps the history of a whole life with its times', async () => {
    const { journal, id } = await submissionIn('processed');
    const { history } = (await journal.get(id)) ?? { history: [] };
    expect(history.map((entry) => entry.state)).toEqual(['approved', 'reserved', 'signed', 'sent', 'processed']);
    // It is approved and reserved in one write.
    expect(history.map(({ at }) => at - 1_800_000_000_000)).toEqual([1, 1, 2, 3, 4]);
  });

  it('refuses a second payload, also the same one', async () => {
    const { journal, id } = await submissionIn('signed');
    await expect(journal.markSigned(id, payload)).rejects.toMatchObject({ code: 'already-signed' });
    await expect(
      journal.markSigned(id, { wire: { endpoint: 'submitOrder', bodyText: '{"other":1}' } }),
    ).rejects.toMatchObject({ code: 'already-signed' });
    expect((await journal.get(id))?.wire?.bodyText).toBe(payload.wire.bodyText);
  });

  it.each([
    ['processed', (journal: Journal, id: string) => journal.markFinal(id, 'processed')],
    ['failed', (journal: Journal, id: string) => journal.markFinal(id, 'failed')],
    ['cancelled', (journal: Journal, id: string) => journal.markFinal(id, 'cancelled')],
    ['expired', (journal: Journal, id: string) => journal.markFinal(id, 'expired')],
    ['refused', (journal: Journal, id: string) => journal.markRefused(id, { code: 102011, message: 'no' })],
    ['abandoned', (journal: Journal, id: string) => journal.markAbandoned(id, 'given up')],
  ])('keeps the bytes exactly, and drops a replayable header signature when %s', async (_state, end) => {
    const journal = createHarness().start();
    const { id } = await journal.reserve(draftOf({ operation: 'cancelOrder' }));
    const wire = { endpoint: 'cancelOrder', query: { accountId: 10005, clientOrderId: 'a b' }, signature: '0xsig' };
    await journal.markSigned(id, { wire });
    expect((await journal.get(id))?.wire).toEqual(wire);
    await end(journal, id);
    expect((await journal.get(id))?.wire).toEqual({ endpoint: wire.endpoint, query: wire.query });
  });

  it('does not let polling grow a record without end', async () => {
    const { journal, id } = await submissionIn('acknowledged');
    for (let i = 0; i < 200; i++) await journal.markAcknowledged(id, { status: 'processing', i });
    const record = await journal.get(id);
    expect(record?.history).toHaveLength(64);
    expect(record?.ack).toEqual({ status: 'processing', i: 199 });
  });

  it('names an unknown submission', async () => {
    await expect(createHarness().start().markSent('nobody')).rejects.toThrow('there is no submission nobody');
  });
});

describe('without an answer', () => {
  it('signed and sent submissions are unknown and keep their error', async () => {
    for (const state of ['signed', 'sent'] as const) {
      const { journal, id } = await submissionIn(state);
      const record = await journal.markUnanswered(id, { code: 'timeout', message: 'no answer', outcome: 'unknown' });
      expect(record).toMatchObject({ state, error: { code: 'timeout' } });
      expect(isUnknown(record)).toBe(true);
      expect((await journal.needsAttention()).map((entry) => entry.id)).toEqual([id]);
    }
  });

  it('is no state for submissions that were answered or never signed', async () => {
    for (const state of ['reserved', 'acknowledged', 'processed', 'refused'] as const) {
      const { journal, id } = await submissionIn(state);
      await expect(journal.markUnanswered(id, { code: 'timeout', message: 'x' })).rejects.toMatchObject({
        code: 'illegal-transition',
      });
    }
  });
});

describe('a record that moves on', () => {
  const record = (changes: Partial<SubmissionRecord> = {}) =>
    ({ id: 'one', state: 'sent', history: [{ state: 'sent', at: 1 }], ...changes }) as SubmissionRecord;
  const filled = (last: SubmissionState) =>
    record({ history: [...Array(63).fill({ state: 'sent', at: 1 }), { state: last, at: 2 }] });

  it('has a note exactly when one was given', () => {
    expect(advance(record(), 'failed', 7).history.at(-1)).toStrictEqual({ state: 'failed', at: 7 });
    expect(advance(record(), 'failed', 7, {}, 'why').history.at(-1)).toStrictEqual({
      state: 'failed',
      at: 7,
      note: 'why',
    });
  });

  it('merges repeats of one state, and only when its history is full', () => {
    expect(advance(record(), 'sent', 7).history).toHaveLength(2);
    expect(advance(filled('sent'), 'sent', 7).history).toHaveLength(64);
    const further = advance(filled('acknowledged'), 'processed', 7).history;
    expect(further).toHaveLength(65);
    expect(further.at(-2)).toEqual({ state: 'acknowledged', at: 2 });
  });

  it('may have arrived before when it was sent twice, also where only the history counts', () => {
    const sent = { state: 'sent', at: 1 } as const;
    expect(mayHaveArrivedBefore(record())).toBe(false);
    expect(mayHaveArrivedBefore(record({ history: [{ state: 'signed', at: 1 }, sent] }))).toBe(false);
    expect(mayHaveArrivedBefore(record({ history: [sent, sent] }))).toBe(true);
    expect(mayHaveArrivedBefore(record({ sends: 1, history: [sent, sent] }))).toBe(false);
    expect(mayHaveArrivedBefore(record({ sends: 2 }))).toBe(true);
  });
});

describe('what the relayer says has come to nothing can still be carried out', () => {
  const END = 1_800_000_600;
  const endsIn = (state: SubmissionState, at: number | null, validUntil: number | undefined = END) =>
    mayStillHappen({
      state,
      history:
        at === null
          ? []
          : [
              { state: 'approved', at: 0 },
              { state, at },
            ],
      ...(validUntil !== 0 && { validUntil }),
    } as unknown as SubmissionRecord);

  it.each(submissionStates)('while its signature is valid, of “%s”', (state) => {
    expect(endsIn(state, END * 1000 - 1)).toBe(state === 'refused' || state === 'failed' || state === 'expired');
  });

  it('after a refusal at any time, and after a failure that was told before the end alone', () => {
    for (const state of ['failed', 'expired'] as const) expect(endsIn(state, END * 1000)).toBe(false);
    expect(endsIn('refused', END * 1000)).toBe(true);
    expect(endsIn('failed', null)).toBe(true);
  });

  it('never of a signature without an end', () => {
    for (const state of submissionStates) expect(endsIn(state, 0, 0)).toBe(false);
  });
});
