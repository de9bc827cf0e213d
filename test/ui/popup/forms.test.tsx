// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Text } from '../../../src/operations/review.ts';
import { UiCallError } from '../../../src/ui/background.ts';
import { filledBips } from '../../../src/ui/popup/orders/OrderEntry.tsx';
import { remainder } from '../../../src/ui/popup/orders/ReplaceOrder.tsx';
import { typedAmount } from '../../../src/ui/shared/parseAmount.ts';
import type { Handlers } from '../support/fakeBackground.ts';
import * as f from '../support/fixtures.ts';
import {
  all,
  amounts,
  background,
  emptyPages,
  enter,
  enterAmount,
  find,
  openPopup,
  press,
  problems,
  root,
  settled,
  started,
  submit,
  text,
} from '../support/page.tsx';

const type = (selector: string, value: string) => enter(find(selector), value);

const open = (place: string, handlers: Handlers = {}) =>
  openPopup(place, {
    getActivity: () => [],
    listApprovals: () => [
      {
        id: 'a1',
        origin: 'countersign',
        createdAt: f.now,
        kind: 'operation',
        operation: 'transfer',
        account: f.account.id,
        approvedAt: null,
      },
    ],
    listContacts: () => f.contacts,
    listRecentRecipients: () => f.recents,
    getFees: () => f.fees,
    previewOperation: () => ({ review: f.transferReview, refused: null }),
    startOperation: () => ({ id: 'a1', problem: null }),
    getApproval: () => f.ownApproval(),
    reject: () => null,
    getOrders: () => f.fresh(f.orders),
    ...handlers,
  });

emptyPages();

const friend = f.contacts[0]?.address ?? '';

it('says so when the order to replace is not open any more', async () => {
  await open(`#/orders/replace/0x${'9'.repeat(64)}`);
  expect(text()).toContain('The order was filled or closed meanwhile.');
});

it('does not say so of an open order in a market that is not listed any more', async () => {
  const order = f.order({ base: null, quote: null });
  await open(`#/orders/replace/${order.hash}`, { getOrders: () => f.fresh({ ...f.orders, open: [order] }) });
  expect(text()).not.toContain('The order was filled or closed meanwhile.');
  expect(all('.entry')).toHaveLength(1);
});

describe('an approval request', () => {
  const answers: ((answer: { id: string; problem: null }) => void)[] = [];
  const startOperation = () => new Promise<{ id: string; problem: null }>((answer) => answers.push(answer));
  const answered = async (index: number, id: string) => {
    answers[index]?.({ id, problem: null });
    await settled();
  };
  const cancel = async (...indices: number[]) => {
    answers.length = 0;
    await open('#/orders', { startOperation });
    for (const index of indices) await press(all('.entry-head')[index]);
    for (const one of all('.entry-body button').filter(({ textContent }) => textContent === 'Cancel this order'))
      await press(one);
  };

  it('that is open stays when another one comes, which waits on the first screen', async () => {
    await cancel(0, 1);
    await answered(1, 'a2');
    await answered(0, 'a1');
    expect(new Set(background.callsOf('getApproval'))).toEqual(new Set([{ id: 'a2' }]));
  });

  it('of a screen that was left is not opened over another one', async () => {
    await cancel(0);
    location.hash = '#/settings';
    await settled();
    await answered(0, 'a1');
    expect(all('.own-approval')).toEqual([]);
  });
});

it.each<[string, object, Text | null]>([
  ['the list is cut', { moreOpen: true }, null],
  [
    'the exchange does not answer',
    {},
    { key: 'error_relayerUnreachable', values: { host: { kind: 'text', text: 'relayer.example' } } },
  ],
])('does not say so while %s', async (_while, more, problem) => {
  await open(`#/orders/replace/0x${'9'.repeat(64)}`, {
    getOrders: ({ refresh }: { refresh: boolean }) => ({
      ...f.fresh({ ...f.orders, ...more }),
      problem: refresh ? problem : null,
    }),
  });
  expect(text()).not.toContain('The order was filled or closed meanwhile.');
  expect(all('.banner').map(({ textContent }) => textContent)).toHaveLength(1);
});

it.each([
  ['#/orders', { moreOpen: true, moreOver: false }, true],
  ['#/orders', { moreOpen: false, moreOver: true }, false],
  ['#/orders/over', { moreOpen: true, moreOver: false }, false],
  ['#/orders/over', { moreOpen: false, moreOver: true }, true],
])('%s says that only the newest are shown when its own list is longer: %o', async (place, more, says) => {
  await open(place, { getOrders: () => f.fresh({ ...f.orders, ...more }) });
  expect(/Only the newest \d+ orders were read/.test(text())).toBe(says);
});

describe('the form that sends', () => {
  it('asks exactly what is shown, exact to the last digit', async () => {
    await open('#/send/1');
    await type('.amount-input', '1250.000000000000000001');
    find('.suggestion').click();
    await settled();
    await submit();
    expect(started()).toEqual([
      {
        operation: 'transfer',
        account: f.account.id,
        intent: {
          token: { tokenId: 1, volume: '1250000000000000000001' },
          payeeAddr: friend,
          feeTokenId: 1,
        },
      },
    ]);
    expect(find('.own-approval h1').textContent).toMatch(/^SendSend 150\sLRC/);
    expect(find('.popup-screen').hasAttribute('inert')).toBe(true);
  });

  it('offers whom something was sent to, and to a withdrawal also what was withdrawn to', async () => {
    await open('#/send/1');
    expect(background.callsOf('listRecentRecipients')).toContainEqual(expect.objectContaining({ forTransfer: true }));
    location.hash = '#/withdraw/1';
    await settled();
    expect(background.callsOf('listRecentRecipients').at(-1)).toMatchObject({ forTransfer: false });
  });

  it('moves the focus with the recipient: to the button that takes it away, and back to the field', async () => {
    await open('#/send/1');
    const input = () => find('.field input[autocapitalize]') as HTMLInputElement;
    input().focus();
    await enter(input(), friend.slice(0, -1));
    expect(document.activeElement).toBe(input());
    await enter(input(), friend);
    // The recipient in full, and not the button that takes it back.
    expect(document.activeElement?.className).toBe('recipient');
    (root.querySelector('[aria-label="Choose another recipient"]') as HTMLElement).click();
    await settled();
    expect(document.activeElement).toBe(input());
  });

  it('moves the focus to a chosen recipient that is wrong, and labels a fee only where it can be chosen', async () => {
    await open(`#/send/1/${f.account.owner}`, { getFees: () => f.fees.slice(0, 1) });
    await type('.amount-input', '1');
    await submit();
    expect(document.activeElement?.className).toBe('recipient');
    expect(all('.fee-line label')).toEqual([]);
  });

  it('is there again, with what was typed, after a no', async () => {
    await open(`#/send/1/${friend}`);
    await type('.amount-input', '12.5');
    const review = find('form button[type=submit]');
    review.focus();
    await submit();
    find('h1').focus();
    find('.decision-buttons .button-secondary').click();
    await settled();
    expect(document.activeElement === review).toBe(true);
    expect(background.callsOf('reject')).toEqual([{ id: 'a1', block: false }]);
    expect(background.callsOf('approve')).toEqual([]);
    expect(root.querySelector('.own-approval')).toBe(null);
    expect((find('.amount-input') as HTMLInputElement).value).toBe('12.5');
    expect(location.hash).toBe(`#/send/1/${friend}`);
  });

  it('is there again, with what was typed, when nothing was signed after a yes', async () => {
    const problem = { key: 'error_walletRejected' };
    await open(`#/send/1/${friend}`, { getApproval: () => f.ownApproval({ stage: 'done', result: null, problem }) });
    await type('.amount-input', '12.5');
    await submit();
    expect(find('.own-approval').textContent).toContain('You rejected the request in the other wallet');
    find('.decision .button').click();
    await settled();
    expect(root.querySelector('.own-approval')).toBe(null);
    expect((find('.amount-input') as HTMLInputElement).value).toBe('12.5');
  });

  it('gives way to the first screen when the user has seen what became of the approved request', async () => {
    await open(`#/send/1/${friend}`, { getApproval: () => f.ownApproval({ stage: 'done', result: f.activityItem() }) });
    await type('.amount-input', '12.5');
    await submit();
    find('.decision .button').click();
    await settled();
    expect(location.hash).toBe('#/home');
    expect(root.querySelector('.own-approval')).toBe(null);
  });

  it('"Max" leaves what orders hold, and the fee when it is paid in the same token', async () => {
    await open(`#/send/1/${friend}`);
    find('.amount-box button').click();
    await settled();
    await submit();
    // 184,250.5 held, 150 in orders, 2.5 for the fee.
    expect(started()).toMatchObject([{ intent: { token: { volume: '184098000000000000000000' } } }]);
  });

  it.each([
    ['more than is there', '999999', friend, 'Not enough LRC'],
    ['all of it, with nothing left for the fee', '184100.5', friend, 'The fee is paid in LRC too'],
    ['too many digits', '1.0000000000000000001', friend, 'up to 18 decimals'],
    ['an amount that could be read in two ways', '1,250', friend, 'thousands separator'],
    ['the paying account itself', '1', f.account.owner, 'the account that you send from'],
    ['a wrong checksum', '1', friend.replace('C4', 'c4'), 'This address has a typo'],
    ['nothing at all', '', '', 'How much?'],
  ])('does not ask for %s', async (_, amount, recipient, sentence) => {
    await open('#/send/1');
    await type('.amount-input', amount);
    await type('.field-box:not(.amount-box) input', recipient);
    await submit();
    expect(started()).toEqual([]);
    expect(text()).toContain(sentence);
  });

  it.each([
    ['no recipient', '', 'To whom?'],
    ['half an address', '0xabc', 'An address begins with 0x'],
    ['half a name', 'an', 'An address begins with 0x'],
  ])('says what is missing of %s when it is submitted, and goes to the field', async (_, recipient, sentence) => {
    await open('#/send/1');
    await type('.amount-input', '1');
    await type('.field-box:not(.amount-box) input', recipient);
    expect(problems()).toEqual(['']);
    await submit();
    expect(problems().join()).toContain(sentence);
    expect(document.activeElement).toBe(find('.field-box:not(.amount-box) input'));
  });

  it('reads a fee that could not be read again when it is told to, and keeps what was typed', async () => {
    let away = true;
    const getFees = () => {
      if (away) throw new UiCallError('unknown', 'error_unknown');
      return f.fees;
    };
    await open(`#/send/1/${friend}`, { getFees });
    await type('.amount-input', '12.5');
    await submit();
    expect(started()).toEqual([]);
    expect(text()).toContain('Something went wrong');
    away = false;
    find('.fee-line button').click();
    await settled();
    await submit();
    expect(started()).toMatchObject([{ intent: { token: { volume: '12500000000000000000' } } }]);
  });

  it('is busy when it is submitted before the fee is known, and asks with the fee once it is there', async () => {
    let answer = () => {};
    const getFees = () =>
      new Promise<typeof f.fees>((done) => {
        answer = () => done(f.fees);
      });
    await open(`#/send/1/${friend}`, { getFees });
    const review = find('form button[type=submit]');
    expect(review.getAttribute('aria-busy')).toBe(null);
    await type('.amount-input', '12.5');
    await submit();
    expect(review.getAttribute('aria-busy')).toBe('true');
    answer();
    await settled();
    expect(review.getAttribute('aria-busy')).toBe(null);
    await submit();
    expect(started()).toMatchObject([{ intent: { token: { volume: '12500000000000000000' } } }]);
  });

  it('says that the exchange names no fee, and asks it again', async () => {
    const answers = [[], f.fees];
    await open(`#/send/1/${friend}`, { getFees: () => answers.shift() ?? f.fees });
    expect(find('form [role=alert].banner').textContent).toContain('names no token in which the fee can be paid');
    find('form [role=alert].banner button').click();
    await settled();
    expect(find('.fee-row').textContent).toContain('2.5');
  });

  it('withdraws by the way that is chosen, with its fee beside it', async () => {
    const [eth, lrc] = f.fees;
    await open('#/withdraw/1', {
      getFees: ({ fast }: { fast?: boolean }) =>
        fast ? [{ token: f.lrc, volume: '90000000000000000000' }] : [eth, lrc].filter((one) => one !== undefined),
    });
    expect(find('.segments').textContent).toContain('90 LRC');
    await type('.amount-input', '200');
    const ways = root.querySelectorAll<HTMLInputElement>('.segment input');
    ways[1]?.click();
    await settled();
    expect(find('.fee-row').textContent).toContain('90 LRC');
    await submit();
    expect(started()).toMatchObject([{ operation: 'withdraw', intent: { feeTokenId: 1, fastWithdrawalMode: true } }]);
  });

  it('offers no fast way where the relayer quotes none', async () => {
    await open('#/withdraw/1', { getFees: ({ fast }: { fast?: boolean }) => (fast ? [] : f.fees) });
    expect(root.querySelector('.segments')).toBe(null);
  });

  it('says why a request could not be made', async () => {
    await open(`#/send/1/${friend}`, {
      startOperation: () => ({
        id: 'a1',
        problem: { key: 'problem_ownIntent', values: { reason: { kind: 'text', text: 'no such token' } } },
      }),
    });
    await type('.amount-input', '1');
    await submit();
    expect(text()).toContain('This cannot be done: no such token');
    expect(root.querySelector('.own-approval')).toBe(null);
  });
});

describe('an order', () => {
  it('counts as filled by the amount that ends it, rounded down', () => {
    expect(filledBips(f.order())).toBe(2_500);
    expect(filledBips(f.order({ baseFilled: '149999999999999999999' }))).toBe(9_999);
    expect(filledBips(f.order({ side: 'BUY', quoteFilled: f.order().quoteAmount }))).toBe(10_000);
    expect(filledBips(f.order({ baseAmount: '0' }))).toBe(0);
    const half = { baseAmount: '100', baseFilled: '50', quoteAmount: '100', quoteFilled: '30' };
    const byBuying = { fillAmountBOrS: true, maxFeeBips: 20 } as const;
    expect(filledBips(f.order({ ...half, side: 'BUY', terms: byBuying }))).toBe(5_000);
    expect(filledBips(f.order({ ...half, side: 'SELL', terms: byBuying }))).toBe(3_000);
    expect(filledBips(f.order({ ...half, side: 'BUY' }))).toBe(3_000);
    expect(filledBips(f.order({ ...half, side: 'BUY', status: 'processed' }))).toBe(10_000);
  });

  it.each([
    ['BUY', 'Buy ≈ 1.2345678 LRC', ['≈ 1.2345678 LRC', '≈ 1.2345679 ETH', '≈ 1.2345678 LRC', '≈ 1.2345679 ETH']],
    ['SELL', 'Sell ≈ 1.2345679 LRC', ['≈ 1.2345679 LRC', '≈ 1.2345678 ETH', '≈ 1.2345679 LRC', '≈ 1.2345678 ETH']],
  ] as const)('to %s has what is given rounded up, and what is got rounded down', async (side, what, rows) => {
    const long = '1234567891234567891';
    const order = f.order({ side, baseAmount: long, quoteAmount: long, baseFilled: long, quoteFilled: long });
    await open('#/orders', { getOrders: () => f.fresh({ ...f.orders, open: [order], over: [] }) });
    expect(find('.order-what').textContent).toBe(what);
    find('.entry-head').click();
    await settled();
    const shown = [...root.querySelectorAll('.entry-body .amount-toggle')].map((one) => one.textContent);
    expect(shown.slice(0, 4)).toEqual(rows);
  });

  it('in a market that is not known names no token, and cannot be replaced', async () => {
    const order = f.order({ market: 'ETH-USDC-X', baseAmount: '5000', price: '7', base: null, quote: null });
    await open('#/orders', { getOrders: () => f.fresh({ ...f.orders, open: [order], over: [] }) });
    expect(find('.order-line').textContent).toBe('Sell 5000ETH-USDC-X');
    find('.entry-head').click();
    await settled();
    expect(find('.entry-body .rows').textContent).toContain('Price7');
    expect([...root.querySelectorAll('.entry-body .amount-toggle, .entry-body a')]).toEqual([]);
  });

  it('leaves a remainder whose price is never worse than its own', () => {
    const order = f.order({ baseAmount: '3', quoteAmount: '10', baseFilled: '1', quoteFilled: '3' });
    expect(remainder(order)).toEqual({ sell: 2n, buy: 7n });
    expect(remainder({ ...order, side: 'BUY' })).toEqual({ sell: 7n, buy: 3n });
    const byBuying = { ...order, side: 'BUY', terms: { fillAmountBOrS: true, maxFeeBips: 20 } } as const;
    expect(remainder(byBuying)).toEqual({ sell: 6n, buy: 2n });
    expect(remainder({ ...byBuying, baseFilled: '3' })).toEqual({ sell: 0n, buy: 0n });
  });

  it('is replaced by one that fills the way it was signed, with the amount before the fee in the field', async () => {
    const terms = {
      fillAmountBOrS: false,
      maxFeeBips: 20,
      orderType: 'MAKER_ONLY',
      tradeChannel: 'ORDER_BOOK',
    } as const;
    await open(`#/orders/replace/${f.orderHash}`, {
      getOrders: () => f.fresh({ ...f.orders, open: [f.order({ baseFilled: '0', terms })] }),
      previewOperation: () => ({ review: f.orderReview, refused: null }),
    });
    expect([...root.querySelectorAll('form label')].map((one) => one.textContent)).toEqual([
      'You pay',
      'For at least, before the fee',
    ]);
    await expect.poll(() => find('form .rows').textContent).toContain('You get at least');
    await submit();
    const { baseAmount, quoteAmount } = f.order();
    expect(started()).toMatchObject([
      {
        operation: 'replaceOrder',
        intent: { sellToken: { volume: baseAmount }, buyToken: { volume: quoteAmount }, ...terms },
      },
    ]);
  });

  it('is replaced by what it has left, also when more of it fills before anything is typed', async () => {
    const held = { open: f.order({ baseFilled: '0', quoteFilled: '0' }), answers: [] as (() => void)[] };
    const { baseAmount, quoteAmount } = held.open;
    const tenth = (volume: string, parts: bigint) => String((BigInt(volume) * parts) / 10n);
    const fill = (parts: bigint) => {
      held.open = f.order({ baseFilled: tenth(baseAmount, parts), quoteFilled: tenth(quoteAmount, parts) });
    };
    await open(`#/orders/replace/${f.orderHash}`, {
      getOrders: async ({ refresh }: { refresh: boolean }) => {
        const stored = held.open;
        if (refresh) await new Promise<void>((answer) => held.answers.push(answer));
        return f.fresh({ ...f.orders, open: [refresh ? held.open : stored] });
      },
      previewOperation: () => ({ review: f.orderReview, refused: null }),
    });
    const answer = async () => {
      for (const go of held.answers.splice(0)) go();
      await settled();
    };
    // The stored list is no reason to offer an amount.
    expect(amounts()).toEqual([]);
    fill(6n);
    await answer();
    const whole = Number(typedAmount(baseAmount, 18));
    expect(Number(amounts()[0])).toBe(whole * 0.4);
    fill(8n);
    background.changed();
    await answer();
    expect(Number(amounts()[0])).toBe(whole * 0.2);
    await enterAmount(1, '1');
    const previews = () => background.callsOf('previewOperation').length;
    await expect.poll(() => find('form .rows').textContent).toContain('You get at least');
    const before = previews();
    fill(9n);
    background.changed();
    await answer();
    // What is typed stays, and its warnings are read anew.
    expect(amounts()).toEqual([String(whole * 0.2), '1']);
    await expect.poll(previews).toBeGreaterThan(before);
  });

  it('has its price turned over in the list below a thousandth, and with its direction otherwise', async () => {
    const orders = { ...f.orders, open: [f.order(), f.order({ hash: f.digest, price: '0.00021', side: 'BUY' })] };
    await open('#/orders', { getOrders: () => f.fresh(orders) });
    const prices = () => [...root.querySelectorAll('.order-price')].map(({ textContent }) => textContent);
    expect(prices()).toEqual(['≈ 4,762 LRC per ETH', '≈ 4,761.9 LRC per ETH']);
    orders.open = [f.order({ price: '0.0021' })];
    background.changed();
    await expect.poll(prices).toEqual(['0.0021 ETH per LRC']);
  });

  it.each([
    ['Cancel this order', 'cancelOrder'],
    ['Cancel permanently', 'hardCancel'],
  ])('is cancelled by an approval request, never directly: %s', async (name, operation) => {
    await open('#/orders');
    find('.entry-head').click();
    await settled();
    expect(find('.order-end').textContent).toContain('a tiny trade in the order’s place, which you pay for');
    const cancel = [...root.querySelectorAll('button')].find((one) => one.textContent === name);
    cancel?.click();
    await settled();
    expect(started()).toEqual([{ operation, account: f.account.id, intent: { orderHash: f.orderHash } }]);
    expect(background.callsOf('approve')).toEqual([]);
    expect(find('.own-approval h1').textContent).toMatch(/^SendSend 150\sLRC/);
  });

  it('of which the wallet has no record can only be cancelled', async () => {
    const { terms: _, ...foreign } = f.order();
    const orders = { ...f.orders, open: [foreign], over: [{ ...foreign, status: 'cancelled' }] };
    await open('#/orders', { getOrders: () => f.fresh(orders) });
    find('.entry-head').click();
    await settled();
    const tools = () => [...root.querySelectorAll('.entry-body .site-buttons > *, .order-end')];
    expect(tools().map(({ textContent }) => textContent)).toEqual(['Cancel this order']);
    await open('#/orders/over', { getOrders: () => f.fresh(orders) });
    find('.entry-head').click();
    await settled();
    expect(tools()).toEqual([]);
  });
});

describe('the form that renames', () => {
  it.each([
    ['#/accounts/dev:10007', 'renameAccount', { account: f.account.id, label: 'Other name' }],
    ['#/networks/dev', 'renameNetwork', { networkId: f.network.id, name: 'Other name' }],
  ] as const)(
    'on %s saves another name without its outer spaces, and neither the same nor an empty one',
    async (place, method, params) => {
      await open(place, { renameAccount: () => f.wallet, renameNetwork: () => f.wallet, getTokenChanges: () => [] });
      await submit();
      await type('.field-with-button input', '  ');
      await submit();
      expect(background.callsOf(method)).toEqual([]);
      await type('.field-with-button input', ' Other name ');
      await submit();
      expect(background.callsOf(method)).toEqual([params]);
    },
  );
});
