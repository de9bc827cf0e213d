// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import type { Handlers } from '../support/fakeBackground.ts';
import * as f from '../support/fixtures.ts';
import {
  all,
  amounts,
  emptyPages,
  enterAmount,
  find,
  openPopup,
  problems,
  started,
  submit,
  text,
} from '../support/page.tsx';

const rowsOf = (pool: number) =>
  [...(all('.pool')[pool]?.querySelectorAll('.row') ?? [])].map((row) => row.textContent ?? '');
const [pool] = f.pools.positions;
const place = `#/pools/${pool?.address}/join`;

const open = (at: string, shown: string, handlers: Handlers = {}) =>
  openPopup(
    at,
    {
      getPools: () => f.fresh(f.pools),
      getPrices: () => f.fresh(f.prices),
      getBalances: () => f.balances,
      getFees: () => [{ token: f.eth, volume: '900000000000000' }],
      previewOperation: () => ({ review: { ...f.transferReview, warnings: [] }, refused: null }),
      startOperation: () => ({ id: 'a1', problem: null }),
      getApproval: () => f.ownApproval(),
      ...handlers,
    },
    shown,
  );

emptyPages();
beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(f.now);
});

it('values shares, and shows what they brought where the exchange tells all of it', async () => {
  await open('#/pools', 'Worth now');
  expect(rowsOf(0)[2]).toContain('≈ 10,386.95 USD');
  expect(rowsOf(0)[3]).toContain('−120 LRC+0.031245 ETH');
  expect(rowsOf(0)[3]).toMatch(/[+−][\d.,]+ USD compared with keeping the tokens$/);
  expect(rowsOf(1)[2]).toBe('Worth nowno current price');
  expect(rowsOf(1).join()).not.toContain('Result');
});

it('names a share that is less than the least percentage', async () => {
  const positions = f.pools.positions.map((one) => ({ ...one, total: '1' }));
  await open('#/pools', 'Worth now', { getPools: () => f.fresh({ ...f.pools, positions }) });
  expect(
    all('.pool-title')
      .map((one) => one.textContent)
      .join(),
  ).toContain('Less than 0.01% of the pool');
});

it('says that a share has no current price, also where prices are old', async () => {
  await open('#/pools', 'Worth now', { getPrices: () => f.oldPrices });
  await expect.poll(() => rowsOf(0)[2]).toBe('Worth nowno current price');
  expect(rowsOf(0)[3]).toContain('−120 LRC+0.031245 ETH');
  expect(rowsOf(0).join()).not.toContain('USD');
});

it('rounds what went in up and what came out down', async () => {
  const parts = [{ token: f.lrc, volume: '1234567891234567891' }];
  const moves = f.pools.moves.map((move) => ({ ...move, parts }));
  await open('#/pools', 'Worth now', { getPools: () => f.fresh({ ...f.pools, moves }) });
  expect(all('.pool-move-parts').map(({ textContent }) => textContent)).toEqual([
    '≈ +1.2345678 LRC',
    '≈ −1.2345679 LRC',
  ]);
});

it('says the least that arrives after the fee, like the review', async () => {
  const fee = { kind: 'amount', volume: '4795000000000000', token: f.eth } as const;
  const review = { ...f.transferReview, rows: [{ label: { key: 'review_fee' }, value: fee }], warnings: [] };
  await open(`#/pools/${pool?.address}`, 'You get', { previewOperation: () => ({ review, refused: null }) });
  expect(find('h1').textContent).toBe('Remove liquidity from LRC · ETH');
  await expect.poll(text).toContain('at least ≈ 12,375.742 LRC');
  // 2.614795 ETH less 1 %, less the fee.
  expect(text()).toContain('at least ≈ 2.583852 ETH');
});

it('takes nothing out of a pool where orders are said to hold more than the whole share', async () => {
  const positions = f.pools.positions.map((one) => ({ ...one, locked: `${one.total}0` }));
  await open(`#/pools/${pool?.address}`, 'You get', { getPools: () => f.fresh({ ...f.pools, positions }) });
  expect(find('form button[type=submit]')).toMatchObject({ disabled: true });
  expect(text()).not.toMatch(/[-−]\d/);
});

it('offers every pool that has a price and takes joins, those without a share apart', async () => {
  const empty = { ...(f.pools.others?.[0] as NonNullable<typeof pool>), supply: '0', address: f.secondAccount.owner };
  const others = [...(f.pools.others ?? []), empty, { ...empty, supply: '1', noJoins: true } as const];
  await open('#/pools', 'Other pools', { getPools: () => f.fresh({ ...f.pools, others }) });
  const links = all('.pool').map((one) => [...one.querySelectorAll('a')].map(({ textContent }) => textContent));
  expect(links).toEqual([
    ['Add liquidity', 'Remove liquidity'],
    ['Add liquidity', 'Remove liquidity'],
    ['Add liquidity'],
    [],
    [],
  ]);
});

it('takes one amount, adds the other at the price of the pool, and asks for the least share', async () => {
  await open(place, 'Add liquidity to LRC · ETH');
  await enterAmount(0, '98');
  // 205 ETH for 980,000 LRC.
  expect(amounts()).toEqual(['98', '0.0205']);
  await enterAmount(0, '1500');
  // The exact 0.3137755102040816… is rounded up, so that all 1,500 LRC go in.
  expect(amounts()).toEqual(['1500', '0.31377552']);
  await enterAmount(1, '0.041');
  expect(amounts()).toEqual(['196', '0.041']);
  await submit();
  expect(started()).toEqual([
    {
      operation: 'joinAmmPool',
      account: f.account.id,
      intent: {
        poolAddress: pool?.address,
        joinTokens: {
          pooled: [
            { tokenId: f.lrc.tokenId, volume: '196000000000000000000' },
            { tokenId: f.eth.tokenId, volume: '41000000000000000' },
          ],
          // 196 of 980,000 LRC for as much of 980,000 LP, less one percent.
          minimumLp: { tokenId: 100, volume: '19404000000' },
        },
      },
    },
  ]);
});

it('says of an amount that it is too small for a share', async () => {
  await open(place, 'Add liquidity to LRC · ETH');
  await enterAmount(0, '0.000000000000000001');
  expect(problems()).toEqual(['Too little for a share of this pool.']);
});

it('asks for nothing that the account does not have, the fee included', async () => {
  await open(place, 'Add liquidity to LRC · ETH');
  await submit();
  expect(problems()).toEqual(['How much?']);
  const eth = f.balances.find(({ token }) => token.tokenId === f.eth.tokenId);
  const free = BigInt(eth?.total ?? 0) - BigInt(eth?.locked ?? 0);
  const text = (volume: bigint) => `${volume / 10n ** 18n}.${String(volume % 10n ** 18n).padStart(18, '0')}`;
  await enterAmount(1, text(free));
  expect(problems().join()).toContain('fee');
  await enterAmount(1, text(free + 1n));
  expect(problems().join()).not.toContain('fee');
  expect(problems()).not.toEqual([]);
  await submit();
  expect(started()).toEqual([]);
});
