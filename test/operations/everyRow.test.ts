import { describe, expect, it } from 'vitest';
import { cancelAllOrders } from '../../src/operations/cancelAllOrders.ts';
import { EndlessList, everyRow, PAGE } from '../../src/operations/everyRow.ts';
import type { Reads } from '../../src/operations/reads.ts';

/** A list that changes after some of its pages were read. */
function changing(length: number, change: (rows: string[], page: number) => void, most = PAGE) {
  const rows = Array.from({ length }, (_, index) => `row ${index}`);
  const asked: number[] = [];
  const readPage = async (offset: number) => {
    const page = { rows: rows.slice(offset, offset + most), totalNum: rows.length };
    asked.push(offset);
    change(rows, asked.length);
    return page;
  };
  return { rows, asked, readPage };
}

async function all(readPage: Parameters<typeof everyRow<string>>[0]): Promise<string[]> {
  const found: string[] = [];
  for await (const row of everyRow(readPage, (id) => id)) found.push(row);
  return found;
}

describe('a list of pages', () => {
  it.each([0, 1, PAGE - 1, PAGE, PAGE + 1, 3 * PAGE])('of %i rows is read whole, each row once', async (length) => {
    const { rows, readPage } = changing(length, () => {});
    expect(await all(readPage)).toEqual(rows);
  });

  it('is read by pages that share five rows, and the page before again where a gap may be', async () => {
    const whole = changing(3 * PAGE, () => {});
    await all(whole.readPage);
    expect(whole.asked).toEqual([0, 45, 90, 135]);
    const moved = changing(2 * PAGE, (list, page) => page === 1 && list.splice(0, 5));
    await all(moved.readPage);
    expect(moved.asked).toEqual([0, 45, 0, 45, 90]);
  });

  it.each([1, 4, 5, 30, PAGE])(
    'leaves out no row that stays, when %i of the first ones end meanwhile',
    async (ended) => {
      const { rows, readPage } = changing(4 * PAGE, (list, page) => page < 3 && list.splice(0, ended));
      const found = await all(readPage);
      expect(rows.filter((row) => !found.includes(row))).toEqual([]);
      expect(new Set(found).size).toBe(found.length);
    },
  );

  it('leaves out no row that stays, and gives none twice, when new ones come first', async () => {
    const { readPage } = changing(3 * PAGE, (list, page) => page < 4 && list.unshift(`new ${page}`));
    const found = await all(readPage);
    expect(found).toEqual(Array.from({ length: 3 * PAGE }, (_, index) => `row ${index}`));
  });

  it.each([1, 5, 20])(
    'of a relayer that gives 20 rows at once leaves out none, when %i end meanwhile',
    async (ended) => {
      const { rows, readPage } = changing(2 * PAGE, (list, page) => page < 3 && list.splice(0, ended), 20);
      const found = await all(readPage);
      expect(rows.filter((row) => !found.includes(row))).toEqual([]);
      expect(new Set(found).size).toBe(found.length);
    },
  );

  it('is read whole by few rows at once, and where its end has moved above the next page', async () => {
    const few = changing(20, () => {}, 3);
    expect(await all(few.readPage)).toEqual(few.rows);
    const short = changing(PAGE + 5, (list, page) => page === 1 && list.splice(0, 10));
    expect((await all(short.readPage)).slice(-1)).toEqual([`row ${PAGE + 4}`]);
    expect(short.asked).toEqual([0, 45, 0]);
  });

  it.each([0, 3, PAGE])('of %i rows ends where no more come, whatever its relayer counts', async (length) => {
    const { rows, asked, readPage } = changing(length, () => {});
    expect(await all(async (offset) => ({ ...(await readPage(offset)), totalNum: 1_000 }))).toEqual(rows);
    expect(asked.length).toBeLessThan(11);
  });

  it('of whole pages goes on, whatever its relayer counts', async () => {
    const { rows, readPage } = changing(PAGE + 1, () => {});
    expect(await all(async (offset) => ({ ...(await readPage(offset)), totalNum: 0 }))).toEqual(rows);
  });

  it('that shrinks again and again is read to its end', async () => {
    const { rows, readPage } = changing(130, (list, page) => {
      if (page === 2) list.splice(0, 50);
      if (page === 3) list.splice(0, 40);
    });
    const read = await all(readPage);
    expect(rows.filter((row) => !read.includes(row))).toEqual([]);
  });

  it('that does not end is given up', async () => {
    let asked = 0;
    const totalNum = 0;
    const endless = all(async () => ({
      rows: Array.from({ length: PAGE }, (_, index) => `row ${asked++ > 1 ? asked : index}`),
      totalNum,
    }));
    await expect(endless).rejects.toThrow(EndlessList);
    let pages = 0;
    const moving = all(async (offset) => {
      pages++;
      return { rows: Array.from({ length: PAGE }, () => `row ${offset} ${asked++}`), totalNum };
    });
    await expect(moving).rejects.toMatchObject({
      ...{ name: 'EndlessList', message: "the relayer's list does not end" },
    });
    expect(pages).toBe(400);
  });
});

it('orders are not taken for cancelled because their relayer gives fewer rows than it was asked for', async () => {
  const orders = Array.from({ length: 30 }, (_, index) => ({
    hash: `0x${index.toString(16).padStart(64, '0')}`,
    status: 'processing',
  }));
  const read = async (_: string, { query }: { query: { offset: number } }) => ({
    orders: orders.slice(query.offset, query.offset + 20),
    totalNum: orders.length,
  });
  const request = { accountId: 10_000, query: { orderHash: orders.at(-1)?.hash } };
  const reads = { read, now: 0 } as unknown as Reads;
  expect(await cancelAllOrders.settle.find?.(request as never, reads)).toBeNull();
});

it('orders are not taken for cancelled because one that is open moved to a page that was read', async () => {
  const orders = Array.from({ length: PAGE + 1 }, (_, index) => ({
    hash: `0x${index.toString(16).padStart(64, '0')}`,
    status: 'processing',
  }));
  const last = orders[PAGE] as (typeof orders)[number];
  const read = async (_: string, { query }: { query: { offset: number } }) => {
    const page = orders.slice(query.offset, query.offset + PAGE);
    if (query.offset === 0 && orders.length > PAGE) orders.shift();
    return { orders: page, totalNum: orders.length };
  };
  const request = { accountId: 10_000, query: { orderHash: last.hash } };
  const reads = { read, now: 0 } as unknown as Reads;
  expect(await cancelAllOrders.settle.find?.(request as never, reads)).toBeNull();
});
