import { beforeAll, describe, expect, it, vi } from 'vitest';
import { operations } from '../../../src/operations/index.ts';
import type { Text } from '../../../src/operations/review.ts';
import { useCatalog } from '../../../src/ui/i18n.ts';
import { eventIcon, iconOf, linesOf } from '../../../src/ui/popup/activity/activityLine.ts';
import { dayOf } from '../../../src/ui/popup/activity/dayOf.ts';
import { activityCsv, activityJson } from '../../../src/ui/popup/activity/exportActivity.ts';
import { filterActivity } from '../../../src/ui/popup/activity/filterActivity.ts';
import { unread, withNewest, withOlder } from '../../../src/ui/popup/activity/loadedHistory.ts';
import { moveStatus, requestStatus, statusTexts } from '../../../src/ui/shared/status.ts';
import { readCatalog } from '../support/fakeBackground.ts';
import * as f from '../support/fixtures.ts';

beforeAll(() => {
  vi.stubGlobal('document', { documentElement: { lang: 'en' } });
  useCatalog(readCatalog('en'), 'en', 'en');
});

const own = linesOf(f.activity, [], f.account.id);
const all = { text: '', status: 'all', kind: 'all' } as const;
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

describe('the filters of the activity', () => {
  it('let everything through at first', () => {
    expect(filterActivity(own, all)).toEqual(own);
  });

  it('part the entries by state: each is in exactly one group', () => {
    const groups = (['open', 'done', 'failed'] as const).flatMap((status) =>
      ids(filterActivity(own, { ...all, status })),
    );
    expect(groups.sort()).toEqual(ids(own).sort());
    expect(ids(filterActivity(own, { ...all, status: 'failed' }))).toEqual(['s2']);
  });

  it('find a text in sentence, site and hash, whatever its case', () => {
    expect(ids(filterActivity(own, { ...all, text: 'LOCALHOST' }))).toEqual(['s1']);
    expect(ids(filterActivity(own, { ...all, text: 'CANCELLATION of' }))).toEqual(['s3']);
    expect(ids(filterActivity(own, { ...all, text: f.orderHash.slice(0, 20), status: 'open' }))).toEqual(['s5', 's4']);
    expect(filterActivity(own, { ...all, kind: 'pools' })).toEqual([]);
  });

  it('make the sentences of those alone whose site, hash and number do not have the text', () => {
    const [line] = own;
    const unread = {
      ...line,
      origin: 'https://a.example',
      get sentence(): Text {
        throw new Error('was read');
      },
    };
    expect(filterActivity([unread as never], { ...all, text: 'a.example' })).toHaveLength(1);
    expect(() => filterActivity([unread as never], { ...all, text: 'b.example' })).toThrow('was read');
  });

  it.each(Object.values(operations))('find $name in its group, and in no other', ({ name: operation, group }) => {
    const item = f.activityItem({ operation, group });
    const groups = ['orders', 'moves', 'nfts', 'pools', 'keys', 'texts'] as const;
    expect(
      groups.filter((kind) => filterActivity(linesOf([item], [], f.account.id), { ...all, kind }).length > 0),
    ).toEqual([group]);
  });
});

describe('the picture of an entry', () => {
  it('is that of the operation, else that of its group', () => {
    expect(iconOf({ group: 'orders' })).toBe('candles');
    expect(iconOf({ group: 'orders', picture: 'cross' })).toBe('cross');
    expect(iconOf({ group: null })).toBe('list');
  });

  it('of an event is that of its kind, else that of what it moved', () => {
    const token = f.history.events.find(({ amount }) => amount.token !== null)?.amount.token ?? null;
    const pictures = (['received', 'sent', 'withdrew', 'bought', 'minted'] as const).map((kind) =>
      eventIcon(f.historyEvent({ kind, amount: { token, volume: '1' } })),
    );
    expect(pictures).toEqual(['receive', 'send', 'withdraw', 'candles', 'send']);
    expect(eventIcon(f.historyEvent({ kind: 'bought', amount: { token: null, volume: '1' } }))).toBe('candles');
    // What moved of a token that is not known is no NFT.
    const unknown = f.historyEvent({ kind: 'sent', amount: { token: null, volume: '1' } });
    expect(linesOf([], [unknown], f.account.id)[0]?.group).toBe('moves');
  });
});

describe('what the exchange says happened', () => {
  const lines = linesOf(f.activity, f.history.events, f.account.id);

  it('stands between the own requests, newest first', () => {
    expect(ids(lines)).toEqual([
      's5',
      's4',
      'request:9',
      'request:8',
      's3',
      'fill:3:SELL',
      's2',
      'fill:2:BUY',
      'nft:6',
      'request:4',
      's1',
      's0',
    ]);
  });

  it('stands once when this wallet asked for it, with its block', () => {
    const sent = f.activityItem({ id: 'own', operation: 'transfer', group: 'moves', hash: `0x${'AB'.repeat(32)}` });
    const listed = f.historyEvent({ id: 'request:5', kind: 'sent', hash: `0x${'aB'.repeat(32)}`, block: 12 });
    expect(linesOf([sent], [listed], f.account.id)).toMatchObject([{ id: 'own', block: 12 }]);
    // The hash of a fill is that of its order, which is an entry of its own.
    const fill = f.historyEvent({ id: 'fill:1:SELL', kind: 'sold', hash: `0x${'ab'.repeat(32)}` });
    expect(ids(linesOf([sent], [fill], f.account.id)).sort()).toEqual(['fill:1:SELL', 'own']);
  });

  it('names the order of a cancellation where it is known', () => {
    const [pay, receive] = f.orderReview.rows.map(({ value }) => value);
    const nameOf = (sentence: Text) => linesOf([f.activityItem({ sentence })], [], f.account.id)[0]?.sentence;
    const key = 'review_cancelOrder';
    expect(nameOf({ key })).toEqual({ key: 'request_cancelOrder' });
    const values = { pay, receive } as Required<Text>['values'];
    expect(nameOf({ key, values })).toEqual({ key: 'request_cancelOrderOf', values });
  });

  it('says what the exchange did in place of what was asked, once that is done', () => {
    const sent = f.activityItem({ operation: 'transfer', group: 'moves', hash: `0x${'ab'.repeat(32)}` });
    const listed = f.historyEvent({ id: 'request:5', kind: 'sent', hash: `0x${'ab'.repeat(32)}` });
    expect(linesOf([{ ...sent, status: 'processed' }], [listed], f.account.id)[0]?.move).toBe(listed);
    expect(linesOf([{ ...sent, status: 'acknowledged' }], [listed], f.account.id)[0]?.move).toBeUndefined();
  });

  it('is pending, and no good news yet, while the exchange has only taken it', () => {
    expect(moveStatus('acknowledged')).toMatchObject({ label: 'statusPending', tone: 'neutral', final: false });
    expect(moveStatus('processed')).toBe(statusTexts.processed);
    expect(requestStatus({ group: 'moves', status: 'acknowledged', approveHash: null }).label).toBe('statusPending');
    expect(requestStatus({ group: 'orders', status: 'acknowledged', approveHash: null })).toBe(
      statusTexts.acknowledged,
    );
  });

  it('has left the exchange, and is not called done, when a withdrawal is settled there', () => {
    const left = { label: 'statusLeft', meaning: 'statusLeftMeaning', final: true };
    const settled = { status: 'processed', approveHash: null, leavesExchange: true } as const;
    for (const group of ['moves', 'nfts'] as const) expect(requestStatus({ ...settled, group })).toMatchObject(left);
    expect(requestStatus({ ...settled, group: 'moves', status: 'failed' })).toBe(statusTexts.failed);
    const lost = { ...settled, group: 'moves', status: 'expired', isEndUnknown: true } as const;
    expect(requestStatus(lost)).toMatchObject({ meaning: 'statusExpiredUnknown', final: true });
    expect(moveStatus('processed', true)).toMatchObject(left);
  });

  it('is found by kind, state and text', () => {
    expect(ids(filterActivity(lines, { ...all, kind: 'moves' }))).toEqual(['request:9', 'request:8', 'request:4']);
    expect(ids(filterActivity(lines, { ...all, kind: 'nfts' }))).toEqual(['nft:6']);
    expect(ids(filterActivity(lines, { ...all, kind: 'orders', text: 'sold at' }))).toEqual(['fill:3:SELL']);
    expect(ids(filterActivity(lines, { ...all, status: 'open', kind: 'moves' }))).toEqual(['request:9']);
    expect(ids(filterActivity(lines, { ...all, status: 'failed', kind: 'moves' }))).toEqual(['request:4']);
    expect(ids(filterActivity(lines, { ...all, text: 'LUNCH' }))).toEqual(['request:8']);
  });

  it('is exported with what came or left, exact, and its block', () => {
    const rows = JSON.parse(activityJson(lines));
    expect(rows.find(({ id }: { id: string }) => id === 'request:8')).toMatchObject({
      operation: 'received',
      received: '1.25',
      paid: null,
      token: 'ETH',
      block: 44,
    });
    expect(rows.find(({ id }: { id: string }) => id === 'fill:3:SELL')).toMatchObject({
      sentence: 'Sold at ≈ 4,762 LRC per ETH',
      received: null,
      paid: '100',
      token: 'LRC',
      block: 41,
    });
    expect(rows.find(({ id }: { id: string }) => id === 'nft:6')).toMatchObject({
      received: '2',
      token: `0x${'1d'.repeat(32)}`,
    });
    expect(rows.find(({ id }: { id: string }) => id === 's5')).toMatchObject({
      received: null,
      paid: null,
      block: null,
    });
  });
});

describe('what this wallet asked for', () => {
  const hash = `0x${'ab'.repeat(32)}`;
  const item = f.activityItem({ id: 'own', operation: 'transfer', group: 'moves', hash, status: 'processed' });
  const fee = { token: f.eth, volume: '21000000000000' };
  const event = f.historyEvent({ id: 'request:5', kind: 'sent', hash, memo: 'rent', fee });

  it('is exported and found with what the exchange says of it, once it is done', () => {
    const lines = linesOf([item], [event], f.account.id);
    expect(JSON.parse(activityJson(lines))).toMatchObject([
      { id: 'own', paid: '1.25', received: null, token: 'ETH', fee: '0.000021', feeToken: 'ETH' },
    ]);
    expect(ids(filterActivity(lines, { ...all, text: 'RENT' }))).toEqual(['own']);
  });

  it('stands beside what the exchange says of it while the wallet does not know how it ended', () => {
    const lost = { ...item, status: 'expired', isEndUnknown: true } as const;
    const lines = linesOf([lost], [{ ...event, block: 12 }], f.account.id);
    expect(lines.map(({ id, block, move }) => [id, block, move])).toEqual([
      ['own', null, undefined],
      ['request:5', 12, undefined],
    ]);
    expect(JSON.parse(activityJson(lines))).toMatchObject([
      { id: 'own', paid: null },
      { id: 'request:5', status: 'processed', paid: '1.25', token: 'ETH' },
    ]);
  });

  it('is exported without amounts when it failed or is pending', () => {
    for (const status of ['failed', 'processing'] as const) {
      const lines = linesOf([], [{ ...event, status }], f.account.id);
      expect(JSON.parse(activityJson(lines))).toMatchObject([{ paid: null, received: null, token: 'ETH', fee: null }]);
    }
  });

  it('is exported without an amount where its token, and so its unit, is not known', () => {
    const unknown = { ...event, status: 'processed' as const, amount: { token: null, volume: '7' }, fee: null };
    expect(JSON.parse(activityJson(linesOf([], [unknown], f.account.id)))).toMatchObject([
      { paid: null, received: null, token: null },
    ]);
  });
});

describe('the days of the activity', () => {
  const noon = (month: number, day: number, year = 2026) => new Date(year, month - 1, day, 12).getTime();

  it.each([
    [noon(11, 21), 'Today'],
    [noon(11, 21) - 11 * 3_600_000, 'Today'],
    [noon(11, 20) + 11 * 3_600_000, 'Yesterday'],
    [noon(11, 19), 'November 19'],
    [noon(12, 31, 2025), 'December 31, 2025'],
  ])('name %i as %s', (time, words) => {
    expect(dayOf(time, noon(11, 21))).toBe(words);
  });
});

describe('the export', () => {
  it('is a table with a header, one line an entry, exact amounts, times in UTC', () => {
    const [header, first] = activityCsv(own.slice(0, 1)).split('\r\n');
    expect(header).toBe(
      'time,operation,sentence,status,origin,account,hash,storageId,id,block,received,paid,token,fee,feeToken',
    );
    expect(first).toBe(
      `2026-11-21T14:29:00.000Z,submitOrder,Order to sell 150 LRC for at least 0.0315 ETH,unknown,https://trade.example.org,dev:10007,${f.orderHash},246,s5,,,,,,`,
    );
    expect(activityCsv(own).split('\r\n')).toHaveLength(f.activity.length + 2);
  });

  it('quotes what would break a line, and disarms what a spreadsheet would run', () => {
    const hostile = f.activityItem({ origin: '=HYPERLINK("https://x")', account: 'a,b\r\nc', hash: '+1' });
    const csv = activityCsv(linesOf([hostile], [], f.account.id));
    expect(csv).toContain(`"'=HYPERLINK(""https://x"")"`);
    expect(csv).toContain('"a,b\r\nc"');
    expect(csv).toContain(",'+1,");
  });

  it('as JSON has the same fields', () => {
    expect(JSON.parse(activityJson(own))).toHaveLength(f.activity.length);
    expect(JSON.parse(activityJson(own))[0]).toMatchObject({ id: 's5', status: 'unknown', storageId: 246 });
  });
});

describe('older pages of the history', () => {
  const event = (id: string, at: number) => f.historyEvent({ id, at });
  const end = { next: null, oldest: null };
  const newest = (events: readonly ReturnType<typeof event>[], next: number | null) => ({
    events,
    reached: { request: { next, oldest: events.at(-1)?.at ?? null }, fill: end, nft: { next: 50, oldest: 5 } },
  });
  const first = newest([event('request:9', 9), event('request:8', 8)], 2);
  const older = { events: [event('request:8', 8), event('request:7', 7)], reach: { next: 4, oldest: 7 } };

  it('stand below the newest, each event once', () => {
    const known = withOlder(first, 'request', first, older);
    expect(ids(known.events)).toEqual(['request:9', 'request:8', 'request:7']);
    expect(known.reached.request).toEqual({ next: 4, oldest: 7 });
    expect(known.reached.nft).toEqual(first.reached.nft);
  });

  it('stay when something new goes on with what is known', () => {
    const known = withNewest(
      withOlder(first, 'request', first, older),
      newest([event('request:10', 10), event('request:9', 9)], 2),
    );
    expect(ids(known.events)).toEqual(['request:10', 'request:9', 'request:8', 'request:7']);
    expect(known.reached.request).toEqual({ next: 4, oldest: 7 });
  });

  it('are dropped where new events could leave a gap before them', () => {
    const known = withNewest(
      withOlder(first, 'request', first, older),
      newest([event('request:12', 12), event('request:11', 11)], 2),
    );
    expect(ids(known.events)).toEqual(['request:12', 'request:11']);
    expect(known.reached.request).toEqual({ next: 2, oldest: 11 });
  });

  it('are not added behind a list that began anew while they were read, whatever its length', () => {
    const anew = newest([event('request:12', 12), event('request:11', 11)], 2);
    const known = withNewest(first, anew);
    expect(withOlder(known, 'request', first, older)).toBe(known);
    const goesOn = withNewest(first, newest([event('request:10', 10), event('request:9', 9)], 2));
    expect(withOlder(goesOn, 'request', first, older).reached.request).toEqual({ next: 4, oldest: 7 });
  });

  it('a list that ends on its first page is all there is', () => {
    const known = withNewest(withOlder(first, 'request', first, older), newest([event('request:9', 9)], null));
    expect(ids(known.events)).toEqual(['request:9']);
  });

  it.each([
    ['all', ['request', 'nft'], 8],
    ['moves', ['request'], 8],
    ['nfts', ['nft'], 5],
    ['orders', [], null],
    ['keys', [], null],
  ] as const)('are left for the filter %s in the lists where its events stand', (kind, left, since) => {
    expect(unread(first, kind)).toEqual({ left, since });
  });
});
