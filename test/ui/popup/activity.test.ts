import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../src/operations/index.ts';
import { useCatalogs } from '../../../src/ui/i18n.ts';
import { activityCsv, activityJson } from '../../../src/ui/popup/activity/exportActivity.ts';
import { filterActivity } from '../../../src/ui/popup/activity/filterActivity.ts';
import { readCatalog } from '../support/fakeBackground.ts';
import * as f from '../support/fixtures.ts';

beforeAll(() => {
  Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } });
  useCatalogs(readCatalog('en'), readCatalog('en'), 'en', 'en');
});

const all = { text: '', status: 'all', kind: 'all' } as const;
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

describe('the filters of the activity', () => {
  it('let everything through at first', () => {
    expect(filterActivity(f.activity, all)).toEqual(f.activity);
  });

  it('part the entries by state: each is in exactly one group', () => {
    const groups = (['open', 'done', 'failed'] as const).flatMap((status) =>
      ids(filterActivity(f.activity, { ...all, status })),
    );
    expect(groups.sort()).toEqual(ids(f.activity).sort());
    expect(ids(filterActivity(f.activity, { ...all, status: 'failed' }))).toEqual(['s2']);
  });

  it('find a text in sentence, site and hash, whatever its case', () => {
    expect(ids(filterActivity(f.activity, { ...all, text: 'LOCALHOST' }))).toEqual(['s1']);
    expect(ids(filterActivity(f.activity, { ...all, text: 'cancel this' }))).toEqual(['s3']);
    expect(ids(filterActivity(f.activity, { ...all, text: f.orderHash.slice(0, 20), status: 'open' }))).toEqual([
      's5',
      's4',
    ]);
    expect(filterActivity(f.activity, { ...all, kind: 'pools' })).toEqual([]);
  });

  it.each(Object.values(operations))('find $name in its group, and in no other', ({ name: operation, group }) => {
    const item = f.activityItem({ operation, group });
    const groups = ['orders', 'moves', 'nfts', 'pools', 'keys', 'texts'] as const;
    expect(groups.filter((kind) => filterActivity([item], { ...all, kind }).length > 0)).toEqual([group]);
  });
});

describe('the export', () => {
  it('is a table with a header, one line an entry, exact amounts, times in UTC', () => {
    const [header, first] = activityCsv(f.activity.slice(0, 1)).split('\r\n');
    expect(header).toBe('time,operation,sentence,status,origin,account,hash,storageId,id');
    expect(first).toBe(
      `2026-11-21T14:29:00.000Z,submitOrder,Pay 150 LRC and receive at least 0.0315 ETH,unknown,https://trade.example.org,dev:10007,${f.orderHash},246,s5`,
    );
    expect(activityCsv(f.activity).split('\r\n')).toHaveLength(f.activity.length + 2);
  });

  it('quotes what would break a line, and disarms what a spreadsheet would run', () => {
    const hostile = f.activityItem({ origin: '=HYPERLINK("https://x")', account: 'a,b\r\nc', hash: '+1' });
    const csv = activityCsv([hostile]);
    expect(csv).toContain(`"'=HYPERLINK(""https://x"")"`);
    expect(csv).toContain('"a,b\r\nc"');
    expect(csv).toContain(",'+1,");
  });

  it('as JSON has the same fields', () => {
    expect(JSON.parse(activityJson(f.activity))).toHaveLength(f.activity.length);
    expect(JSON.parse(activityJson(f.activity))[0]).toMatchObject({ id: 's5', status: 'unknown', storageId: 246 });
  });
});
