// @vitest-environment happy-dom
import { render } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApprovalView } from '../../../src/messaging/views.ts';
import type { Text } from '../../../src/operations/review.ts';
import type { Severity } from '../../../src/operations/severity.ts';
import { ApprovalApp } from '../../../src/ui/approval/ApprovalApp.tsx';
import { UiCallError } from '../../../src/ui/background.ts';
import { type FakeBackground, type Handlers, installBackground, useLanguage } from '../support/fakeBackground.ts';
import {
  account,
  activityItem,
  approval,
  connectApproval,
  connectBeforeOrder,
  digest,
  fresh,
  leavingReview,
  lrc,
  nftMetadata,
  nftSaleReview,
  noPrices,
  now,
  oldPrices,
  orderReview,
  prices,
  secondAccount,
  standingAsked,
  standingReview,
  stoppedReview,
  transferReview,
  twoAccounts,
} from '../support/fixtures.ts';
import { installObservers, type Observers } from '../support/observers.ts';

/** Where the approve button lies on every screen of these tests. */
const box = { left: 200, right: 380, top: 640, bottom: 690 };
const onButton = { clientX: 300, clientY: 660 };
const elsewhere = { clientX: 100, clientY: 100 };

let root: HTMLElement;
let views: Map<string, ApprovalView>;
let background: FakeBackground;
let focused: boolean;
let observers: Observers;

async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

function approveButton(): HTMLElement {
  const button = root.querySelector<HTMLElement>('[data-testid=approve]');
  if (button === null) throw new Error(`no approve button in: ${root.textContent}`);
  return button;
}

function rejectButton(): HTMLElement {
  const button = root.querySelector<HTMLElement>('.decision-buttons .button-secondary');
  if (button === null) throw new Error('no reject button');
  return button;
}

const armed = () => approveButton().getAttribute('aria-disabled') === 'false';

function movePointer(to: { clientX: number; clientY: number }): void {
  document.dispatchEvent(new PointerEvent('pointermove', { ...to, pointerType: 'mouse', bubbles: true }));
}

/** A mouse has the pressure 0.5; the press that a screen reader makes has none. */
function press(target: HTMLElement, pressure = 0.5): void {
  target.dispatchEvent(
    new PointerEvent('pointerdown', { bubbles: true, button: 0, pointerType: 'mouse', pressure, ...onButton }),
  );
}

function release(target: HTMLElement, detail = 1): void {
  target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail, ...onButton }));
}

function click(target: HTMLElement, detail = 1): void {
  press(target);
  release(target, detail);
}

/**
 * A key as the browser turns it into a click: Enter on key down, Space on key up, neither when
 * prevented.
 */
function pressKey(target: HTMLElement, key: 'Enter' | ' ', repeat = false): void {
  const down = new KeyboardEvent('keydown', { key, repeat, bubbles: true, cancelable: true });
  const went = target.dispatchEvent(down);
  if (key === 'Enter' && went) release(target, 0);
  if (key === ' ' && went) {
    const up = new KeyboardEvent('keyup', { key, bubbles: true, cancelable: true });
    if (target.dispatchEvent(up)) release(target, 0);
  }
}

async function open(first: ApprovalView, others: readonly ApprovalView[] = [], handlers: Handlers = {}): Promise<void> {
  views = new Map([first, ...others].map((view) => [view.id, view]));
  background = installBackground({
    getState: () => twoAccounts,
    touch: () => null,
    getApproval: ({ id }: { id: string }) => {
      const view = views.get(id);
      if (view === undefined) throw new Error(id);
      return view;
    },
    listApprovals: () =>
      [...views.values()].map(({ id, kind, origin, createdAt, operation, account }) => ({
        id,
        kind,
        origin,
        createdAt,
        operation,
        account: account?.id ?? null,
        approvedAt: null,
      })),
    reject: ({ id }: { id: string }) => {
      views.delete(id);
      return null;
    },
    approve: ({ id }: { id: string }) => {
      const view = views.get(id);
      if (view === undefined) throw new Error(id);
      const done: ApprovalView = { ...view, stage: 'done', result: activityItem() };
      views.set(id, done);
      return done;
    },
    ...handlers,
  });
  history.replaceState(null, '', `?id=${first.id}`);
  render(<ApprovalApp />, root);
  await pass(300);
  // The pointer is remembered across the screens of one window, so from the test before as well.
  movePointer(elsewhere);
}

beforeEach(() => {
  vi.useFakeTimers();
  useLanguage('en');
  focused = true;
  observers = installObservers();
  vi.spyOn(document, 'hasFocus').mockImplementation(() => focused);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    return (this.dataset.testid === 'approve' ? box : { left: 0, right: 0, top: 0, bottom: 0 }) as DOMRect;
  });
  root = document.createElement('div');
  document.body.append(root);
});

afterEach(async () => {
  render(null, root);
  // Work that preact has put off has to end on this clock, it would wait for it for ever.
  await pass(500);
  root.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('what the window says first', () => {
  const holding = (total: string) => ({
    getBalances: () => [{ token: lrc, total, locked: '0', pendingDeposit: '0', pendingWithdraw: '0' }],
  });

  it('has account and network in its header, and the act on its button', async () => {
    await open(approval());
    await pass(10);
    expect(root.querySelector('.approval-account')?.textContent).toBe('Account Main account #10007 · Development');
    expect(approveButton().textContent).toBe('Place order');
  });

  it.each([
    ['what is left', '200000000000000000000', 'Available after: 50 LRC'],
    ['that it is not enough', '149999999999999999999', 'Not enough: ≈ 149.99999 LRC available'],
  ])('says %s, and lies still again when it does', async (_, total, text) => {
    let tell = () => {};
    await open(approval({ review: leavingReview }), [], {
      getBalances: () => new Promise((resolve) => (tell = () => resolve(holding(total).getBalances()))),
    });
    await pass(1_000);
    expect(background.callsOf('getBalances')).toEqual([{ account: account.id }]);
    expect([root.querySelector('.balance-after')?.textContent?.trim(), armed()]).toEqual(['', true]);
    tell();
    await pass(100);
    expect([root.querySelector('.balance-after')?.textContent, armed()]).toEqual([text, false]);
    await pass(1_000);
    expect(armed()).toBe(true);
  });

  it('says what is left now when the review is prepared again', async () => {
    let total = '100000000000000000000';
    await open(approval({ review: leavingReview }), [], {
      getBalances: () => [{ token: lrc, total, locked: '0', pendingDeposit: '0', pendingWithdraw: '0' }],
    });
    await pass(10);
    expect(root.querySelector('.balance-after')?.textContent).toBe('Not enough: 100 LRC available');
    total = '200000000000000000000';
    const { reviewedAt } = approval();
    views.set('a1', approval({ review: leavingReview, reviewedAt: (reviewedAt ?? 0) + 30 }));
    background.changed();
    await pass(50);
    expect(root.querySelector('.balance-after')?.textContent).toBe('Available after: 50 LRC');
  });

  it('says that there is nothing where orders are said to hold more than all', async () => {
    await open(approval({ review: leavingReview }), [], {
      getBalances: () => [{ token: lrc, total: '1', locked: '2', pendingDeposit: '0', pendingWithdraw: '0' }],
    });
    await pass(10);
    expect(root.querySelector('.balance-after')?.textContent).toBe('Not enough: 0 LRC available');
  });

  it('names the value of what leaves in the details, as the exchange sees it, and nothing waits for it', async () => {
    vi.setSystemTime(now);
    await open(approval({ review: leavingReview }), [], { getPrices: () => fresh(prices) });
    await pass(2_000);
    expect(armed()).toBe(true);
    const worth = root.querySelector('.details .worth');
    expect(worth?.textContent).toBe('≈ 30.12 USDabout 30.12 USD');
    expect(worth?.closest('details')?.open).toBe(false);
    expect(worth?.closest('.row')?.textContent).toContain(
      'At the exchange’s own price. It is not part of what you sign',
    );
  });

  it.each([
    ['old', oldPrices],
    ['absent', fresh(noPrices)],
  ])('names no value where the price is %s', async (_, stored) => {
    vi.setSystemTime(now);
    await open(approval({ review: leavingReview }), [], { getPrices: () => stored });
    await pass(10);
    expect(root.querySelector('.details .worth')).toBeNull();
    expect(root.querySelector('.details')?.textContent).toContain('150 LRC · no current price');
  });

  it('lies still no longer for a value that arrives late', async () => {
    vi.setSystemTime(now);
    const late = () =>
      new Promise<ReturnType<typeof fresh<typeof prices>>>((done) => setTimeout(done, 3_000, fresh(prices)));
    await open(approval({ review: leavingReview }), [], { getPrices: late });
    await pass(2_000);
    expect(armed()).toBe(true);
    for (let step = 0; step < 60; step++) {
      await pass(100);
      expect(armed()).toBe(true);
    }
    expect(root.querySelector('.details .worth')).not.toBeNull();
  });

  it('decides without the balance when it cannot be had', async () => {
    await open(approval({ review: leavingReview }), [], {
      getBalances: () => {
        throw new Error('down');
      },
    });
    await pass(2_000);
    expect(root.querySelector('.balance-after')?.textContent).toBe('\u00a0');
    expect(armed()).toBe(true);
  });

  it('names what differs from the review before: the value, or the note under the same value', async () => {
    const rowOf = (emphasis: string) => orderReview.rows.findIndex((row) => row.emphasis === emphasis);
    const [pay, receive] = [rowOf('pay'), rowOf('receive')];
    const value = orderReview.rows[pay]?.value ?? null;
    const changed = (note: Text | null) => ({
      sentence: null,
      rows: [
        { row: pay, label: { key: 'review_pay' }, before: value, note },
        { row: receive, label: { key: 'review_receive' }, before: { kind: 'integer' as const, value: 7 } },
      ],
      newWarnings: [],
      goneWarnings: [],
    });
    const marks = () => [...root.querySelectorAll('.row-changed')].map(({ textContent }) => textContent);
    await open(approval({ review: orderReview, changes: changed({ key: 'review_atMost' }) }));
    await pass(10);
    expect(marks()).toEqual(['Before: Maximum. Less if it fills at a better price.', 'Before: 7']);
    views.set('a1', approval({ review: orderReview, digest: `0x${'7'.repeat(64)}`, changes: changed(null) }));
    background.changed();
    await pass(10);
    expect(marks()).toEqual(['New', 'Before: 7']);
  });

  it.each([
    ['goes back to the top', 'when something changed', 0, 1],
    ['stays where the reader is', 'when nothing did', 300, 0],
  ])('%s %s in a review that is prepared again', async (_, _when, scrollTop, rows) => {
    await open(approval({ review: orderReview }));
    await pass(10);
    const content = root.querySelector('.approval-content') as HTMLElement;
    content.scrollTop = 300;
    const row = { row: 0, label: { key: 'review_expires' }, before: null };
    const changes = { sentence: null, rows: [row].slice(0, rows), newWarnings: [], goneWarnings: [] };
    views.set('a1', approval({ review: orderReview, digest: `0x${'7'.repeat(64)}`, changes }));
    background.changed();
    await pass(50);
    expect(content.scrollTop).toBe(scrollTop);
    // What was marked before, under another digest.
    content.scrollTop = 300;
    views.set('a1', approval({ review: orderReview, digest: `0x${'8'.repeat(64)}`, changes }));
    background.changed();
    await pass(50);
    expect(content.scrollTop).toBe(300);
    const higher = orderReview.rows.map((one, place) =>
      place === 0 ? { ...one, value: { kind: 'integer' as const, value: 9 } } : one,
    );
    const digest = `0x${'9'.repeat(64)}`;
    views.set('a1', approval({ review: { ...orderReview, rows: higher }, digest, changes }));
    background.changed();
    await pass(50);
    expect(content.scrollTop).toBe(scrollTop);
  });

  it('folds what decides nothing, and unfolds it when it changed', async () => {
    const rows = orderReview.rows.map((row) => ({ ...row, ...(row.emphasis ? {} : { detail: true as const }) }));
    const place = rows.length - 1;
    const changes = {
      sentence: null,
      rows: [{ row: place, label: { key: 'review_expires' }, before: null }],
      newWarnings: [],
      goneWarnings: [],
    };
    await open(approval({ review: { ...orderReview, rows } }));
    await pass(10);
    expect(root.querySelector('details')?.open).toBe(false);
    views.set('a1', approval({ review: { ...orderReview, rows }, digest: `0x${'7'.repeat(64)}`, changes }));
    background.changed();
    await pass(10);
    expect(root.querySelector('details')?.open).toBe(true);
  });

  it.each([
    ['transfer', transferReview, 'Send 150 LRC'],
    [
      'cancelAllOrders',
      { ...orderReview, sentence: { key: 'review_cancelAllOrders', values: { count: { kind: 'integer', value: 3 } } } },
      'Cancel 3 orders',
    ],
    [
      'cancelAllOrders',
      { ...orderReview, sentence: { key: 'review_cancelOneOrder', values: { count: { kind: 'integer', value: 1 } } } },
      'Cancel order',
    ],
    ['submitOrder', stoppedReview, 'Place order anyway'],
  ] as const)('%s: the button says what it does', async (operation, review, text) => {
    await open(approval({ operation, review }));
    await pass(10);
    expect(approveButton().textContent).toBe(text);
  });
});

describe('the approve button', () => {
  it('says its hint again to who presses it too early, and what to press in place of Enter', async () => {
    await open(approval());
    await pass(10);
    const said = () => root.querySelector('.decision-hint > span');
    const before = said();
    expect(before?.textContent).toBe('Take a moment to read this.');
    release(approveButton());
    await pass(10);
    expect(said()).not.toBe(before);
    expect(said()?.textContent).toBe('Take a moment to read this.');
    await pass(1_000);
    expect(said()?.textContent).toBe('You sign exactly what is shown here.');
    pressKey(approveButton(), 'Enter');
    await pass(10);
    expect(said()?.textContent).toBe('Enter never approves. Press the space bar.');
    expect(background.callsOf('approve')).toEqual([]);
  });

  it('sends id, digest and account exactly as rendered, once', async () => {
    await open(approval());
    await pass(1_000);
    click(approveButton());
    click(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toEqual([{ id: 'a1', digest, account: account.id }]);
  });

  async function clickOnce(approve: (decision: { id: string }) => ApprovalView) {
    await open(approval(), [], { approve });
    await pass(1_000);
    click(approveButton());
    await pass(50);
  }

  it('sends the same decision once more when the worker was stopped before it had read it', async () => {
    let stopped = 0;
    const approve = ({ id }: { id: string }): ApprovalView => {
      if (stopped++ === 0) throw new Error('the worker was stopped');
      return { ...approval(), id, stage: 'done', result: activityItem() };
    };
    await clickOnce(approve);
    const decision = { id: 'a1', digest, account: account.id };
    expect(background.callsOf('approve')).toEqual([decision, decision]);
    expect(root.querySelector('.outcome')).not.toBeNull();
  });

  it('shows what the request became when the worker was stopped after it had read the decision', async () => {
    const approve = ({ id }: { id: string }): ApprovalView => {
      views.set(id, { ...approval(), stage: 'done', result: activityItem() });
      throw new Error('the worker was stopped');
    };
    await clickOnce(approve);
    expect(background.callsOf('approve')).toHaveLength(1);
    expect(root.querySelector('.outcome')).not.toBeNull();
    expect(root.querySelector('[role=alert]')).toBeNull();
  });

  it.each([
    ['another time of its review', { reviewedAt: (approval().reviewedAt ?? 0) + 600 }],
    [
      'the reason why it is asked again',
      { again: { key: 'again_late', values: { time: { kind: 'time' as const, seconds: 1 } } } },
    ],
  ])('sends it no second time to a request that was put back meanwhile: it has %s', async (_, changes) => {
    const approve = ({ id }: { id: string }): ApprovalView => {
      views.set(id, { ...approval(), ...changes });
      throw new Error('the worker was stopped');
    };
    await clickOnce(approve);
    expect(background.callsOf('approve')).toHaveLength(1);
    expect(approveButton()).not.toBeNull();
  });

  it('sends a decision that gets no answer twice, never a third time, and says so', async () => {
    const approve = (): ApprovalView => {
      throw new Error('the worker was stopped');
    };
    await clickOnce(approve);
    expect(background.callsOf('approve')).toHaveLength(2);
    expect(root.textContent).toContain('The wallet was interrupted before it could answer.');
  });

  it('ignores clicks before the still time is over', async () => {
    await open(approval());
    expect(armed()).toBe(false);
    click(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toEqual([]);
  });

  it('ignores a press that began before it was armed', async () => {
    await open(approval());
    press(approveButton());
    await pass(2_000);
    movePointer(elsewhere);
    await pass(1_000);
    expect(armed()).toBe(true);
    release(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toEqual([]);
  });

  it('ignores the second click of a double click', async () => {
    await open(approval());
    await pass(1_000);
    click(approveButton(), 2);
    await pass(50);
    expect(background.callsOf('approve')).toEqual([]);
  });

  it('never answers Enter, on the button or anywhere else', async () => {
    await open(approval());
    await pass(1_000);
    approveButton().focus();
    pressKey(approveButton(), 'Enter');
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    await pass(1_000);
    expect(background.callsOf('approve')).toEqual([]);
  });

  it('is where Enter in the password leads, and a wrong password leads back', async () => {
    await open(approval({ review: stoppedReview }), [], {
      approve: () => {
        throw new UiCallError('wrong-password', 'error_wrongPassword');
      },
    });
    const field = root.querySelector<HTMLInputElement>('input[type=password]');
    field?.focus();
    const enter = () => field?.form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    enter();
    expect(document.activeElement).toBe(field);
    if (field) field.value = 'copper anvil';
    field?.dispatchEvent(new Event('input', { bubbles: true }));
    await pass(1_000);
    enter();
    expect(document.activeElement).toBe(approveButton());
    await pass(1_000);
    expect(background.callsOf('approve')).toEqual([]);
    pressKey(approveButton(), ' ');
    await pass(50);
    expect(background.callsOf('approve')).toHaveLength(1);
    expect(document.activeElement).toBe(field);
  });

  it('answers Space, but not one that is held down since before', async () => {
    await open(approval());
    await pass(1_000);
    pressKey(approveButton(), ' ', true);
    await pass(50);
    expect(background.callsOf('approve')).toEqual([]);
    pressKey(approveButton(), ' ');
    await pass(50);
    expect(background.callsOf('approve')).toHaveLength(1);
  });

  it('lies still again when the window is resized or loses the focus', async () => {
    await open(approval());
    await pass(1_000);
    expect(armed()).toBe(true);
    window.dispatchEvent(new Event('resize'));
    await pass(10);
    expect(armed()).toBe(false);
    await pass(1_000);
    expect(armed()).toBe(true);
    focused = false;
    window.dispatchEvent(new Event('blur'));
    await pass(2_000);
    expect(armed()).toBe(false);
    expect(root.textContent).toContain('Click this window to continue.');
  });

  it('takes no key for the button when the window was behind another one', async () => {
    await open(approval());
    await pass(1_000);
    approveButton().focus();
    focused = false;
    window.dispatchEvent(new Event('blur'));
    focused = true;
    window.dispatchEvent(new Event('focus'));
    await pass(1_000);
    expect(armed()).toBe(true);
    expect(document.activeElement).not.toBe(approveButton());
  });

  it('lies still again when the layout changes, and a press from before does not count', async () => {
    await open(approval());
    await pass(1_000);
    press(approveButton());
    observers.resized();
    await pass(50);
    expect(armed()).toBe(false);
    await pass(1_000);
    expect(armed()).toBe(true);
    release(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toEqual([]);
  });

  it('answers only after the end of the request was in view, and says what to do, readers too', async () => {
    observers.inView(false);
    await open(approval());
    await pass(60_000);
    expect(armed()).toBe(false);
    click(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toEqual([]);
    const hint = root.querySelector('.decision [role=status]');
    expect(hint?.textContent).toBe('Scroll to the end to approve.');
    expect(approveButton().getAttribute('aria-describedby')).toBe(hint?.id);
    observers.inView(true);
    await pass(100);
    expect(armed()).toBe(false);
    expect(hint?.textContent).toBe('Take a moment to read this.');
    await pass(1_000);
    click(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toHaveLength(1);
  });

  it('stays ready when the user scrolls back, and waits for the end of another review', async () => {
    await open(approval());
    await pass(1_000);
    observers.inView(false);
    await pass(100);
    expect(armed()).toBe(true);
    views.set('a1', approval({ digest: `0x${'7d'.repeat(32)}` }));
    background.changed();
    await pass(2_000);
    expect(armed()).toBe(false);
    expect(root.querySelector('.decision-hint')?.textContent).toBe('Scroll to the end to approve.');
  });

  it('lies still again and says so when the request itself changes, and then sends the new digest', async () => {
    await open(approval());
    await pass(1_000);
    const other = `0x${'ab'.repeat(32)}`;
    views.set('a1', approval({ digest: other }));
    background.changed();
    await pass(10);
    expect(armed()).toBe(false);
    expect(root.textContent).toContain('This request has changed');
    await pass(1_000);
    click(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toEqual([{ id: 'a1', digest: other, account: account.id }]);
  });

  it('is not disturbed, and the review keeps its elements, when another request joins the queue', async () => {
    await open(approval());
    await pass(1_000);
    const before = root.querySelector('.approval-flow');
    const html = before?.innerHTML;
    views.set('a1', approval({ waiting: 3 }));
    background.changed();
    await pass(10);
    expect(root.querySelector('.approval-asks [role=status]')?.textContent).toBe('· 3 more');
    expect(root.querySelector('.approval-flow')).toBe(before);
    expect(before?.innerHTML).toBe(html);
    expect(armed()).toBe(true);
  });

  it('stays away for a review without a digest', async () => {
    await open(approval({ digest: null }));
    await pass(5_000);
    expect(armed()).toBe(false);
  });
});

describe('a danger', () => {
  it('stands before the sentence that a site could make long, and is read out with it; a notice stands behind', async () => {
    const warning = (severity: Severity, rule: string, key: string) => ({
      severity,
      rule,
      text: { key, values: { share: { kind: 'bips', bips: 5050 } } } as const,
    });
    const warnings = [
      warning('note', 'pool-unbound', 'warning_poolUnbound'),
      warning('notice', 'validity-long', 'warning_validityLong'),
      warning('notice', 'recipient-new', 'warning_recipientNew'),
      warning('danger', 'key-change', 'warning_keyChange'),
      warning('stop', 'price-far', 'warning_priceFar'),
    ];
    await open(approval({ review: { ...nftSaleReview, warnings } }));
    const order = [...root.querySelectorAll('.banner, h1')].map((part) => part.className);
    expect(order).toEqual(['banner banner-stop', 'banner banner-danger', 'review-sentence', 'banner banner-notice']);
    expect(root.querySelector('.banner-notice')?.textContent).toContain('2 things to check');
    expect(root.querySelectorAll('.banner-notice li')).toHaveLength(2);
    // A plain fact is a line, in no box.
    expect(root.querySelector('.review-notes')?.textContent).toContain('The exchange picks the pool.');
    const sentence = root.querySelector('h1');
    expect(document.getElementById(sentence?.getAttribute('aria-describedby') ?? '')?.textContent).toContain(
      'You get 50.5% less than at the market price',
    );
    expect(document.activeElement).toBe(sentence);
  });

  it('of one of several orders says of which', async () => {
    const text = { key: 'warning_priceFar', values: { share: { kind: 'bips', bips: 9995 } } } as const;
    const warnings = [{ severity: 'stop', rule: 'price-far 2', choice: 2, text } as const];
    await open(approval({ review: { ...nftSaleReview, warnings } }));
    expect(root.querySelector('.banner-stop strong.warning-choice')?.textContent).toBe('Choice 2');
  });
});

describe('the picture of an NFT', () => {
  const sale = approval({ operation: 'signNftOrder', review: nftSaleReview });

  it('stands for the NFT alone, not for a token that is named like one', async () => {
    const rows = nftSaleReview.rows.map((row) =>
      row.emphasis === 'receive' && row.value.kind === 'amount'
        ? { ...row, value: { ...row.value, token: { ...row.value.token, symbol: 'NFT', decimals: 0 } } }
        : row,
    );
    await open(approval({ operation: 'signNftOrder', review: { ...nftSaleReview, rows } }));
    expect(root.querySelectorAll('.nft-figure')).toHaveLength(1);
    expect(root.querySelectorAll('.ticket-receive')).toHaveLength(1);
  });

  it('is not waited for, and the drawing in its place is not taken for it', async () => {
    await open(sale, [], { getNftMetadata: () => new Promise<never>(() => {}) });
    await pass(1_000);
    expect(root.querySelector('.nft-figure img')).toBeNull();
    expect(root.querySelector('.nft-figure')?.textContent).toContain('Loading picture…');
    expect(root.querySelector('.rows')?.textContent).toContain('You sign for slot 32768');
    click(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toHaveLength(1);
  });

  it('lies still again when picture and name come late, and a press from before does not count', async () => {
    let arrive = (_: typeof nftMetadata) => {};
    await open(sale, [], { getNftMetadata: () => new Promise<typeof nftMetadata>((done) => (arrive = done)) });
    await pass(1_000);
    press(approveButton());
    arrive(nftMetadata);
    await pass(100);
    expect(root.querySelector('.nft-figure-name')?.textContent).toBe(nftMetadata.name);
    expect(root.querySelector<HTMLImageElement>('.nft-figure img')?.src).toBe(nftMetadata.image);
    expect(root.querySelector('.nft-figure')?.textContent).toContain('Not covered by your signature.');
    expect(armed()).toBe(false);
    release(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toEqual([]);
    movePointer(elsewhere);
    await pass(1_000);
    click(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toHaveLength(1);
  });

  it('is asked for once, whatever changes in the wallet, and a failure is a sentence', async () => {
    await open(sale);
    background.changed();
    await pass(1_000);
    expect(background.callsOf('getNftMetadata')).toEqual([{ nftId: nftSaleReview.nft?.nftId }]);
    expect(root.querySelector('.nft-figure')?.textContent).toContain('no readable description');
    expect(armed()).toBe(true);
  });

  it.each([
    ['the claim of the metadata', 'Views from the pier', '“Views from the pier”'],
    ['the contract alone where none is named', null, ''],
    ['letters that turn the text round as their numbers', 'a\u202eb', '“a[U+202E]b”'],
    ['the address of another contract in quotation marks', '0xb47e…3BBB', '“0xb47e…3BBB”'],
  ])('has beside it the collection: %s', async (_what, collection, shown) => {
    await open(sale, [], { getNftMetadata: () => ({ ...nftMetadata, collection }) });
    await pass(100);
    const contract = nftSaleReview.rows.find(({ label }) => label.key === 'review_nftContract')?.value;
    const address = contract?.kind === 'address' ? contract.address : '';
    expect(root.querySelector('.nft-collection-name')?.textContent ?? '').toBe(shown);
    expect(root.querySelector('.nft-collection > .mono')?.textContent?.toLowerCase()).toBe(
      `${address.slice(0, 6)}…${address.slice(-4)}`.toLowerCase(),
    );
  });

  it('is not asked for when the review names no NFT', async () => {
    await open(approval());
    await pass(1_000);
    expect(background.callsOf('getNftMetadata')).toEqual([]);
  });
});

describe('a standing approval', () => {
  const asked = approval({
    kind: 'standing',
    operation: 'standingApproval',
    review: standingReview,
    standing: standingAsked,
  });
  const type = (place: number, value: string) => {
    const input = root.querySelectorAll<HTMLInputElement>('.tighten input')[place];
    if (input === undefined) throw new Error('no such field');
    input.value = value;
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };

  it('shows a small limit in its direction, and the other way round below it', async () => {
    await open(approval({ kind: 'standing', operation: 'standingApproval', review: standingReview }));
    const row = root.querySelector('[data-fold="review_standingMinPrice"] dd');
    expect(row?.querySelector('.price')?.textContent).toBe('0.0004 ETH per LRC');
    expect(row?.querySelector('.row-note')?.textContent).toBe('2,500 LRC per ETH');
  });

  it('says in what units its limits are', async () => {
    await open(asked);
    const hints = [...root.querySelectorAll('.tighten .field-hint')].map((hint) => hint.textContent);
    expect(hints).toEqual(['ETH for one LRC', 'signatures within any 60 seconds']);
  });

  it('offers no limits of orders where it is for cancellations alone', async () => {
    if (!standingAsked) throw new Error('no terms');
    const { terms, shown } = standingAsked;
    await open(approval({ ...asked, standing: { terms: { ...terms, operations: ['cancelOrder'] }, shown } }));
    expect(root.querySelectorAll('.tighten input')).toHaveLength(1);
    type(0, '2');
    await pass(10);
    root.querySelector<HTMLButtonElement>('.tighten .button-wide')?.click();
    await pass(10);
    expect(background.callsOf('tightenStanding')).toMatchObject([{ limits: { requests: 2 } }]);
  });

  it('says what is wrong with a limit that is typed', async () => {
    const said = () => [...root.querySelectorAll('.tighten .field-error')].map(({ textContent }) => textContent);
    await open(asked);
    for (const [place, value] of ['1,500', '', '0', '1.5'].entries()) {
      type(place, value);
      await pass(10);
    }
    expect(said()).toEqual([
      expect.stringContaining('Is this sign a decimal point or a thousands separator?'),
      'How much?',
      'The amount is zero.',
      'This number cannot be used here.',
    ]);
  });

  it('says of each limit that is typed looser than asked that it cannot be used', async () => {
    const said = () => [...root.querySelectorAll('.tighten .field-error')].map(({ textContent }) => textContent);
    await open(asked);
    for (const [place, [tight, loose]] of [
      ['299', '301'],
      ['99', '101'],
      ['0.0005', '0.0003'],
      ['9', '11'],
    ].entries()) {
      type(place, tight ?? '');
      await pass(10);
      expect(said()).toHaveLength(place);
      type(place, loose ?? '');
      await pass(10);
      expect(said()).toHaveLength(place + 1);
    }
    expect(new Set(said())).toEqual(new Set(['This number cannot be used here.']));
    expect(root.querySelector('.tighten .button-wide')).toHaveProperty('disabled', true);
  });

  it('is not approved while changed limits are typed and not part of the approval request, and is after they are undone', async () => {
    await open(asked);
    await pass(1_000);
    expect(armed()).toBe(true);
    type(0, '150');
    await pass(1_000);
    expect(armed()).toBe(false);
    expect(root.querySelector('.decision-hint')?.textContent).toBe('Apply or undo your changes first.');
    type(0, '300');
    await pass(1_000);
    expect(armed()).toBe(true);
  });

  it('asks with the tighter limits, and approves the approval request that then stands there', async () => {
    const other = `0x${'cd'.repeat(32)}`;
    await open(asked, [], {
      tightenStanding: () => {
        const view = approval({ ...asked, digest: other });
        views.set('a1', view);
        background.changed();
        return view;
      },
    });
    type(0, '150');
    await pass(50);
    type(3, '2');
    await pass(50);
    root.querySelector<HTMLButtonElement>('.tighten button')?.click();
    await pass(50);
    expect(background.callsOf('tightenStanding')).toEqual([
      {
        id: 'a1',
        digest,
        limits: {
          totalVolume: '150000000000000000000',
          orderVolume: '100000000000000000000',
          minPrice: '0.0004',
          requests: 2,
        },
      },
    ]);
    expect(armed()).toBe(false);
    expect(root.querySelector('.banner-good')?.textContent).toContain('These are your limits now');
    expect(root.textContent).not.toContain('This request has changed');
    expect(document.activeElement).toBe(root.querySelector('h1'));
    await pass(1_000);
    click(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toEqual([{ id: 'a1', digest: other, account: account.id }]);
  });

  it('says that it changed when that was not the user, and keeps the limits that are being typed', async () => {
    await open(asked);
    type(0, '150');
    await pass(1_000);
    expect(armed()).toBe(false);
    views.set('a1', approval({ ...asked, digest: `0x${'cd'.repeat(32)}` }));
    background.changed();
    await pass(1_000);
    expect(root.textContent).toContain('This request has changed');
    expect(root.querySelectorAll<HTMLInputElement>('.tighten input')[0]?.value).toBe('150');
    expect(armed()).toBe(false);
    type(0, '300');
    await pass(1_000);
    expect(armed()).toBe(true);
  });
});

describe('the queue', () => {
  const second = approval({ id: 'a2', createdAt: 2, digest: `0x${'22'.repeat(32)}` });

  it('shows the next request after a rejection, and its approve button not under the resting pointer', async () => {
    await open(approval(), [second]);
    await pass(1_000);
    movePointer(onButton);
    rejectButton().click();
    await pass(5_000);
    expect(location.search).toBe('?id=a2');
    expect(armed()).toBe(false);
    expect(root.textContent).toContain('Move your pointer off the button, then back.');
    click(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toEqual([]);
    movePointer(elsewhere);
    await pass(699);
    expect(armed()).toBe(false);
    await pass(30);
    expect(armed()).toBe(true);
  });

  it('answers a screen reader, whose press is no pointer that rests on the button', async () => {
    await open(approval());
    const activate = () => {
      press(approveButton(), 0);
      release(approveButton());
    };
    activate();
    await pass(1_000);
    expect(armed()).toBe(true);
    activate();
    await pass(50);
    expect(background.callsOf('approve')).toHaveLength(1);
  });

  it('keeps a rejected request on the screen until the next one is known', async () => {
    await open(approval(), [second], {
      reject: ({ id }: { id: string }) => {
        views.set(id, approval({ id, stage: 'closed' }));
        background.changed();
        return null;
      },
    });
    await pass(1_000);
    const seen = new Set<string>();
    const observer = new MutationObserver(() => seen.add(root.querySelector('h1')?.textContent ?? ''));
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    rejectButton().click();
    await pass(1_000);
    observer.disconnect();
    expect(location.search).toBe('?id=a2');
    expect(seen.size).toBeGreaterThan(0);
    expect([...seen]).not.toContain('Request closed');
  });

  it('says what blocking the site ends beside the button that does it', async () => {
    await open(approval());
    expect(root.querySelector('.block-site')?.textContent).toBe(
      'Reject and block this siteBlocking also ends its standing approvals.',
    );
  });

  it('rejects one request for a double click, not two', async () => {
    await open(approval(), [second]);
    await pass(1_000);
    rejectButton().dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
    await pass(100);
    rejectButton().dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
    await pass(100);
    expect(background.callsOf('reject')).toEqual([{ id: 'a1', block: false }]);
  });

  it('closes the window after the last request', async () => {
    const close = vi.spyOn(window, 'close').mockImplementation(() => undefined);
    await open(approval());
    await pass(1_000);
    rejectButton().click();
    await pass(100);
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('shows the request that the user picks in the popup, not armed yet, and what no page of the wallet picks', async () => {
    await open(approval({ waiting: 1 }), [second]);
    await pass(1_000);
    expect(approveButton().getAttribute('aria-disabled')).toBe('false');
    const pick = (id: string, url: string) =>
      background.overheard({ type: 'ui', method: 'showApproval', params: { id } }, url);
    for (const url of ['https://site.example/', `${location.origin}.example/`]) pick('a2', url);
    background.overheard({ type: 'ui', method: 'reject', params: { id: 'a2' } }, `${location.origin}/popup.html`);
    await pass(10);
    expect(location.search).toBe('?id=a1');
    pick('a2', `${location.origin}/popup.html`);
    await pass(100);
    expect(location.search).toBe('?id=a2');
    expect(background.callsOf('getApproval').at(-1)).toEqual({ id: 'a2' });
    click(approveButton());
    await pass(10);
    expect(background.callsOf('approve')).toEqual([]);
    movePointer(elsewhere);
    await pass(1_000);
    click(approveButton());
    await pass(10);
    expect(background.callsOf('approve')).toMatchObject([{ id: 'a2', digest: second.digest }]);
    expect(background.callsOf('reject')).toEqual([]);
  });

  it('rejects a picked request while the rejection of another one hangs, and goes on from none but the shown one', async () => {
    const waiting = { stage: 'waiting', review: null, digest: null } as const;
    let answer = () => {};
    await open(
      approval(waiting),
      [approval({ ...waiting, id: 'a2', createdAt: 2 }), approval({ id: 'a3', createdAt: 3 })],
      {
        reject: ({ id }: { id: string }) => {
          views.delete(id);
          return id === 'a1' ? new Promise<null>((resolve) => (answer = () => resolve(null))) : null;
        },
      },
    );
    const pick = async (id: string) => {
      background.overheard({ type: 'ui', method: 'showApproval', params: { id } }, `${location.origin}/popup.html`);
      await pass(100);
    };
    rejectButton().click();
    await pass(100);
    await pick('a3');
    answer();
    await pass(100);
    expect(location.search).toBe('?id=a3');
    views.set('a1', approval(waiting));
    await pick('a1');
    rejectButton().click();
    await pass(100);
    await pick('a2');
    rejectButton().click();
    await pass(100);
    expect(background.callsOf('reject').map((params) => (params as { id: string }).id)).toEqual(['a1', 'a1', 'a2']);
    expect(location.search).toBe('?id=a3');
  });

  it('shows the result of an approval, then goes on by itself', async () => {
    await open(approval({ waiting: 1 }), [second]);
    await pass(1_000);
    click(approveButton());
    await pass(50);
    expect(root.querySelector('h1')?.textContent).toBe('Accepted');
    views.delete('a1');
    await pass(4_000);
    expect(location.search).toBe('?id=a2');
  });

  it('calls a transfer that the exchange took pending, as the list does, and goes on by itself', async () => {
    const result = activityItem({ operation: 'transfer', group: 'moves', status: 'acknowledged' });
    await open(approval({ operation: 'transfer', stage: 'done', result, waiting: 1 }), [second]);
    await pass(50);
    expect(root.querySelector('h1')?.textContent).toBe('Pending');
    expect(root.querySelector('.outcome-neutral')).not.toBeNull();
    views.delete('a1');
    await pass(4_000);
    expect(location.search).toBe('?id=a2');
  });

  it('keeps an accepted order on the screen that the exchange reports under another hash', async () => {
    const result = activityItem({ status: 'acknowledged', problem: { key: 'problem_otherHash' } });
    await open(approval({ stage: 'done', result, waiting: 1 }), [second]);
    await pass(60_000);
    expect(location.search).toBe('?id=a1');
    expect(root.querySelector('.outcome-problem')).not.toBeNull();
  });

  it('does not call an order done that its site has, and goes on by itself', async () => {
    const until = { kind: 'time', seconds: 1_900_000_000 } as const;
    const result = activityItem({
      ...{ operation: 'signNftOrder', group: 'nfts', status: 'processed', handsOver: true },
      problem: { key: 'warning_validityLong', values: { until } },
    });
    await open(approval({ operation: 'signNftOrder', stage: 'done', result, waiting: 1 }), [second]);
    await pass(50);
    expect(root.querySelector('h1')?.textContent).toBe('Handed over');
    expect(root.querySelector('.outcome-good')).toBeNull();
    expect(root.querySelector('.outcome')?.textContent).toContain('can be used until Mar 17, 2030');
    views.delete('a1');
    await pass(4_000);
    expect(location.search).toBe('?id=a2');
  });

  it('keeps the result while the pointer moves over it, and after the focus moved', async () => {
    const move = (name: string) => root.querySelector('main')?.dispatchEvent(new Event(name));
    await open(approval({ waiting: 1 }), [second]);
    await pass(1_000);
    click(approveButton());
    await pass(2_000);
    move('pointermove');
    await pass(60_000);
    expect(location.search).toBe('?id=a1');
    move('pointerleave');
    await pass(3_000);
    root.querySelector<HTMLElement>('.decision button')?.focus();
    await pass(60_000);
    expect(location.search).toBe('?id=a1');
  });

  it('reads the result out from a place that was there before', async () => {
    await open(approval({ waiting: 1 }), [second]);
    const region = root.querySelector('p.visually-hidden');
    expect([region?.getAttribute('role'), region?.textContent]).toEqual(['status', '']);
    await pass(1_000);
    click(approveButton());
    await pass(50);
    expect(root.querySelector('p.visually-hidden')).toBe(region);
    expect(region?.textContent).toMatch(/^Accepted\. /);
    expect(root.querySelector('.outcome p[role=status]')).toBeNull();
  });

  it('knows where the pointer went while no button was on the screen', async () => {
    await open(approval({ waiting: 1 }), [second]);
    await pass(1_000);
    movePointer(onButton);
    click(approveButton());
    await pass(50);
    expect(root.querySelector('[data-testid=approve]')).toBeNull();
    movePointer(elsewhere);
    views.delete('a1');
    await pass(5_000);
    expect(location.search).toBe('?id=a2');
    expect(armed()).toBe(true);
  });

  it('says that a request was not signed, and why, and waits for the user', async () => {
    const problem = { key: 'error_walletRejected' };
    await open(approval({ stage: 'done', result: null, problem }), [second]);
    await pass(60_000);
    expect(location.search).toBe('?id=a1');
    expect(root.querySelector('h1')?.textContent).toBe('Not sent');
    expect(root.querySelector('.outcome-problem')?.textContent).toContain(
      'You rejected the request in the other wallet',
    );
    expect(root.querySelector('.outcome-danger')).not.toBeNull();
    render(null, root);
    await open(approval({ stage: 'done', result: null }), [second]);
    await pass(60_000);
    expect(root.querySelector('h1')?.textContent).toBe('Not sent');
    expect(root.querySelector('.outcome-good')).toBeNull();
  });

  it('says once that the exchange rejected a request, and until when it could carry it out', async () => {
    const until = { kind: 'time', seconds: 1_900_000_000 } as const;
    const action = { kind: 'text', text: 'Raise the amount.' } as const;
    const problem = { key: 'problem_refusedUntil', values: { until, action } };
    await open(approval({ stage: 'done', result: activityItem({ status: 'refused', problem }) }));
    expect(root.querySelector('.outcome')?.textContent?.match(/rejected it/g)).toHaveLength(1);
    expect(root.querySelector('.outcome')?.textContent).toContain('stays valid until Mar 17, 2030');
  });

  it('says what an approval without a submission did', async () => {
    for (const [view, heading] of [
      [connectApproval, 'Connected'],
      [approval({ kind: 'standing' }), 'Allowed'],
    ] as const) {
      await open({ ...view, stage: 'done', result: null });
      expect(root.querySelector('h1')?.textContent).toBe(heading);
      expect(root.querySelector('.outcome-good')).not.toBeNull();
      render(null, root);
    }
  });

  it('keeps an unknown outcome on the screen until the user goes on', async () => {
    await open(approval({ stage: 'done', result: activityItem({ status: 'unknown' }) }), [second]);
    await pass(60_000);
    expect(location.search).toBe('?id=a1');
    expect(root.querySelector('h1')?.textContent).toBe('Confirming');
    expect(root.textContent).toContain('does not sign it again');
  });
});

describe('stages', () => {
  async function unlock() {
    const field = root.querySelector<HTMLInputElement>('input[type=password]');
    if (field === null) throw new Error('no password field');
    field.value = 'correct horse';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await pass(20);
    root.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    await pass(100);
  }

  it('asks for the password first when the wallet is locked', async () => {
    await open(approval({ stage: 'waiting', needsPassword: true, review: null, digest: null }), [], {
      unlock: () => {
        views.set('a1', approval());
        return twoAccounts;
      },
    });
    expect(root.querySelector('[data-testid=approve]')).toBeNull();
    await unlock();
    expect(background.callsOf('unlock')).toEqual([{ password: 'correct horse' }]);
    expect(root.querySelector('.review-sentence')?.textContent).toBe(
      'Place orderPay 150\u00a0LRC and receive at least 0.0315\u00a0ETH',
    );
    expect(armed()).toBe(false);
  });

  it('says after an approval what an unlock is for, and after the signature that it may have arrived', async () => {
    const approved = approval({ stage: 'approved', needsPassword: true, review: null, digest: null });
    await open(approved);
    expect(root.textContent).toContain('Unlock within two minutes of your click');
    views.set('a1', { ...approved, result: activityItem({ status: 'unknown' }) });
    background.changed();
    await pass(50);
    expect(root.textContent).toContain('It was signed and may have arrived.');
    expect(root.textContent).not.toContain('two minutes');
  });

  it('asks for the unlock only when a site waits for nothing else, and goes on to the next request by itself', async () => {
    const waits = approval({
      kind: 'unlock',
      stage: 'waiting',
      needsPassword: true,
      review: null,
      digest: null,
      operation: null,
      account: null,
    });
    await open(waits, [approval({ id: 'a2', createdAt: waits.createdAt + 1 })], {
      unlock: () => {
        views.set('a1', { ...waits, stage: 'done', needsPassword: false });
        return twoAccounts;
      },
    });
    expect(root.textContent).toContain('A site that is connected asks you to unlock.');
    expect(root.querySelector('[data-testid=approve]')).toBeNull();
    await unlock();
    expect(location.search).toBe('?id=a2');
    expect(root.querySelector('.review-sentence')).not.toBeNull();
  });

  it('keeps what was chosen for a site when the wallet locks in between', async () => {
    await open(connectApproval, [], {
      unlock: () => {
        views.set('c1', connectApproval);
        return twoAccounts;
      },
    });
    const boxes = () => [...root.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
    boxes()[1]?.click();
    boxes()[3]?.click();
    await pass(10);
    const chosen = boxes().map(({ checked }) => checked);
    expect(chosen).toEqual([true, true, true, false]);
    views.set('c1', { ...connectApproval, stage: 'waiting', needsPassword: true });
    background.changed();
    await pass(50);
    expect(boxes()).toEqual([]);
    await unlock();
    expect(boxes().map(({ checked }) => checked)).toEqual(chosen);
  });

  it('keeps what was chosen for a site while the user looks at another request', async () => {
    await open(connectApproval, [approval({ id: 'a2', createdAt: 2 })]);
    const boxes = () => [...root.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
    boxes()[1]?.click();
    boxes()[3]?.click();
    await pass(10);
    const chosen = boxes().map(({ checked }) => checked);
    const pick = async (id: string) => {
      background.overheard({ type: 'ui', method: 'showApproval', params: { id } }, `${location.origin}/popup.html`);
      await pass(100);
    };
    await pick('a2');
    expect(boxes()).toEqual([]);
    await pick('c1');
    expect(boxes().map(({ checked }) => checked)).toEqual(chosen);
  });

  it('calls a request closed only when it is, and keeps it on the screen when it cannot be read once', async () => {
    let failure: UiCallError | null = null;
    await open(approval(), [], {
      getApproval: () => {
        if (failure !== null) throw failure;
        return approval();
      },
    });
    await pass(1_000);
    failure = new UiCallError('unknown', 'error_unknown');
    background.changed();
    await pass(50);
    expect(root.textContent).not.toContain('Request closed');
    expect(root.querySelector('[role=alert]')?.textContent).toContain('Something went wrong');
    expect(armed()).toBe(true);
    failure = null;
    background.changed();
    await pass(50);
    expect(root.querySelector('[role=alert]')).toBeNull();
    failure = new UiCallError('approval-gone', 'error_approvalGone');
    background.changed();
    await pass(50);
    expect(root.querySelector('h1')?.textContent).toBe('Request closed');
    expect(document.activeElement).toBe(root.querySelector('h1'));
  });

  it('reads a request again on demand when it could not be read at all', async () => {
    let fails = true;
    await open(approval(), [], {
      getApproval: () => {
        if (fails) throw new UiCallError('unknown', 'error_unknown');
        return approval();
      },
    });
    expect(root.querySelector('h1')?.textContent).toBe('Can’t check this request right now');
    fails = false;
    root.querySelector<HTMLElement>('.button-primary')?.click();
    await pass(50);
    expect(root.querySelector('.review-sentence')).not.toBeNull();
  });

  it('is prepared again when its review is a minute old, and tries anew when that gets no answer', async () => {
    const at = Math.floor(Date.now() / 1000);
    let fails = true;
    await open(approval({ reviewedAt: at }), [], {
      retryApproval: () => {
        if (fails) throw new UiCallError('unknown', 'error_unknown');
        const renewed = approval({ reviewedAt: Math.floor(Date.now() / 1000) });
        views.set('a1', renewed);
        return renewed;
      },
    });
    await pass(61_000);
    expect(background.callsOf('retryApproval')).toHaveLength(1);
    expect(armed()).toBe(false);
    fails = false;
    await pass(6_000);
    expect(background.callsOf('retryApproval')).toHaveLength(2);
    await pass(1_000);
    expect(armed()).toBe(true);
  });

  it('can be approved while its review is exactly a minute old, as the background has it', async () => {
    const at = Math.floor(Date.now() / 1000);
    vi.setSystemTime(at * 1000 + 60_000 - 300);
    const time = vi.spyOn(Date, 'now').mockReturnValue(at * 1000 + 60_000);
    await open(approval({ reviewedAt: at }), [], { retryApproval: () => approval({ reviewedAt: at }) });
    await pass(1_000);
    expect(armed()).toBe(true);
    expect(background.callsOf('retryApproval')).toEqual([]);
    time.mockReturnValue(at * 1000 + 60_001);
    await pass(1_000);
    expect(background.callsOf('retryApproval')).toHaveLength(1);
  });

  it('stays on the screen when the request before it is prepared again too late', async () => {
    const at = Math.floor(Date.now() / 1000);
    await open(approval({ reviewedAt: at }), [approval({ id: 'a2', createdAt: 2, reviewedAt: at + 60 })], {
      retryApproval: async () => {
        await new Promise((done) => setTimeout(done, 5_000));
        return approval({ reviewedAt: at + 61 });
      },
    });
    await pass(61_000);
    click(rejectButton());
    await pass(500);
    expect(location.search).toBe('?id=a2');
    await pass(6_000);
    expect(background.callsOf('retryApproval')).toEqual([{ id: 'a1' }]);
    expect(root.querySelector('.review-sentence')).not.toBeNull();
  });

  it('says why facts are missing and reads them again on demand', async () => {
    const problem = {
      key: 'error_relayerUnreachable',
      values: { host: { kind: 'text', text: 'relayer.example' } },
    } as const;
    await open(approval({ stage: 'unavailable', review: null, digest: null, problem }), [], {
      retryApproval: () => approval(),
    });
    expect(root.textContent).toContain('relayer.example does not answer.');
    root.querySelector<HTMLElement>('.button-primary')?.click();
    await pass(50);
    expect(background.callsOf('retryApproval')).toEqual([{ id: 'a1' }]);
    expect(root.querySelector('.review-sentence')).not.toBeNull();
  });

  it('does not call unsigned what was signed before, unavailable or closed', async () => {
    const signedBefore = {
      key: 'warning_signedBeforeNoEnd',
      values: { copies: { kind: 'integer', value: 1 } },
    } as const;
    for (const stage of ['unavailable', 'closed'] as const) {
      await open(approval({ stage, review: null, digest: null, signedBefore }));
      expect(root.querySelector('[role=alert]')?.textContent).toContain('The signed copies do not expire.');
      expect(root.textContent).not.toMatch(/Nothing was signed|nothing left to decide/);
      render(null, root);
    }
    const problem = { key: 'error_walletRejected' };
    const abandoned = activityItem({ id: 's1', status: 'abandoned', problem });
    for (const result of [null, abandoned]) {
      await open(approval({ stage: 'done', result, problem, signedBefore }));
      const shown = [root.querySelector('.outcome'), root.querySelector('p.visually-hidden')];
      expect(shown.map((one) => one?.textContent)).toEqual([
        expect.stringMatching(/^Request closed.*The signed copies do not expire\./),
        expect.stringMatching(/^Request closed\. .*\(signed copies: 1\)\. The signed copies do not expire\./),
      ]);
      expect(root.textContent).not.toMatch(/Not sent|before anything left/);
      render(null, root);
    }
  });

  it('shows no decision while preparing, executing or closed', async () => {
    for (const stage of ['waiting', 'closed'] as const) {
      await open(approval({ stage, review: null, digest: null }));
      expect(root.querySelector('[data-testid=approve]')).toBeNull();
      render(null, root);
    }
    await open(approval({ stage: 'approved' }));
    await pass(5_000);
    expect(armed()).toBe(false);
    const hint = () => root.querySelector('.decision-hint')?.textContent;
    expect(hint()).toBe('Signing and sending… You can close this window.');
    render(null, root);
    await open(approval({ stage: 'approved', asksOtherWallet: true }));
    expect(hint()).toBe('Answer the request in the other wallet.');
    render(null, root);
    await open(approval({ asksOtherWallet: true }), [], { reject: () => new Promise(() => {}) });
    rejectButton().click();
    await pass(100);
    expect(background.callsOf('reject')).toHaveLength(1);
    expect(hint()).toBe('Working');
    expect(approveButton().getAttribute('aria-busy')).toBe('false');
    expect(approveButton().querySelector('.spinner')).toBeNull();
  });

  it('says that a request is signed and sent once its approval is stored, and never of a permission', async () => {
    let answer = () => {};
    const approved = approval({ stage: 'approved' });
    await open(approval(), [], { approve: () => new Promise((done) => (answer = () => done(approved))) });
    await pass(1_000);
    click(approveButton());
    await pass(50);
    const hint = () => root.querySelector('.decision-hint')?.textContent;
    expect([hint(), approveButton().getAttribute('aria-busy')]).toEqual(['Working', 'true']);
    answer();
    await pass(50);
    expect(hint()).toContain('You can close this window.');
    for (const kind of ['connect', 'standing'] as const) {
      render(null, root);
      await open(approval({ stage: 'approved', kind }));
      expect(hint()).toBe('Working');
    }
  });
});

describe('a press on Reject while the screen changes', () => {
  const preparing = approval({ stage: 'waiting', review: null, digest: null });
  const second = approval({ id: 'a2', createdAt: 2 });
  const rejected = () => background.callsOf('reject');

  /** Without a click: the browser makes none once the button is gone. */
  async function releaseAfter(change: () => Promise<void> | void, at: object): Promise<void> {
    const pressed = rejectButton();
    vi.spyOn(pressed, 'getBoundingClientRect').mockReturnValue(new DOMRect(10, 640, 370, 50));
    press(pressed);
    await change();
    await pass(100);
    expect(pressed.isConnected).toBe(false);
    approveButton().dispatchEvent(new PointerEvent('pointerup', { bubbles: true, button: 0, ...at }));
    await pass(100);
  }
  const becomes = (view: ApprovalView) => () => {
    views.set(view.id, view);
    background.changed();
  };

  it('rejects the same request, where the button was', async () => {
    await open(preparing);
    await releaseAfter(becomes(approval()), onButton);
    expect(rejected()).toEqual([{ id: 'a1', block: false }]);
    expect(background.callsOf('approve')).toEqual([]);
  });

  it('does nothing when it is released elsewhere', async () => {
    await open(preparing);
    await releaseAfter(becomes(approval()), elsewhere);
    expect(rejected()).toEqual([]);
  });

  it('never rejects the next request', async () => {
    await open(preparing, [second]);
    const closed = approval({ stage: 'closed', review: null, digest: null });
    vi.spyOn(performance, 'now').mockReturnValue(700);
    await releaseAfter(becomes(closed), onButton);
    expect(location.search).toBe('?id=a2');
    expect(rejected()).toEqual([]);
    click(rejectButton());
    await pass(100);
    expect(rejected()).toEqual([{ id: 'a2', block: false }]);
  });
});

describe('a request that is over before anybody could decide it', () => {
  const values = { reason: { kind: 'text', text: 'sellToken: the relayer lists no token 9' } } as const;
  const wrong = approval({ stage: 'closed', review: null, digest: null, problem: { key: 'problem_intent', values } });

  /** The window as it is when the answer comes, so many milliseconds after it opened. */
  async function openUntilOver(age: number, others: readonly ApprovalView[] = [], over = wrong) {
    const close = vi.spyOn(window, 'close').mockImplementation(() => undefined);
    await open(approval({ stage: 'waiting', review: null, digest: null }), others);
    expect(close).not.toHaveBeenCalled();
    vi.spyOn(performance, 'now').mockReturnValue(age);
    views.set('a1', over);
    background.changed();
    await pass(100);
    return close;
  }

  it('goes with the window that has just opened', async () => {
    expect(await openUntilOver(700)).toHaveBeenCalledTimes(1);
  });

  it('makes room for the next one', async () => {
    const second = approval({ id: 'a2', createdAt: 2 });
    expect(await openUntilOver(700, [second])).not.toHaveBeenCalled();
    expect(location.search).toBe('?id=a2');
  });

  it('goes when the site has taken it back while the window opened', async () => {
    const takenBack = approval({ stage: 'closed', review: null, digest: null });
    expect(await openUntilOver(700, [], takenBack)).toHaveBeenCalledTimes(1);
  });

  it('stays with its reason for who has waited', async () => {
    expect(await openUntilOver(2_000)).not.toHaveBeenCalled();
    expect(root.querySelector('h1')?.textContent).toBe('Request closed');
    expect(root.textContent).toContain('lists no token 9');
  });
});

describe('connecting a site', () => {
  it('sends the chosen accounts and permissions with the digest', async () => {
    await open(connectApproval);
    await pass(1_000);
    const boxes = [...root.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
    expect(boxes.map((one) => [one.checked, one.disabled])).toEqual([
      [true, false],
      [false, false],
      [true, true],
      [true, false],
    ]);
    boxes[1]?.click();
    boxes[3]?.click();
    await pass(10);
    expect(armed()).toBe(false);
    await pass(1_000);
    click(approveButton());
    await pass(50);
    expect(background.callsOf('approve')).toEqual([
      { id: 'c1', digest, account: null, accounts: [account.id, secondAccount.id], kinds: ['read'] },
    ]);
  });

  it('chooses the accounts that a connected site has, whichever the wallet shows, and allows instead of connecting', async () => {
    const asked = { kinds: ['transfers' as const], granted: [secondAccount.id], isMore: true };
    if (connectApproval.connect === null) throw new Error('asks to connect');
    await open({ ...connectApproval, connect: { ...connectApproval.connect, ...asked } });
    const boxes = [...root.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
    expect(boxes.map(({ checked }) => checked)).toEqual([false, true, true]);
    expect(root.querySelector('h1')?.textContent).toBe('Allow this site to do more?');
    expect(approveButton().textContent).toBe('Allow');
  });

  it('says what a permission means after a tap, without choosing it', async () => {
    await open(connectApproval);
    const sentence = root.querySelector<HTMLElement>('.kind-sentence');
    expect(sentence?.hidden).toBe(true);
    root.querySelector<HTMLButtonElement>('.kind-more')?.click();
    await pass(10);
    expect(sentence?.hidden).toBe(false);
    expect(root.querySelector<HTMLInputElement>('.kind input')?.checked).toBe(true);
  });

  it('goes on with the request that it was for, which lies still anew and is not called changed', async () => {
    await open(connectBeforeOrder);
    await pass(1_000);
    expect(root.textContent).toContain('Its request comes next.');
    // One permission for one request: there is nothing to leave out.
    const boxes = [...root.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
    expect(boxes.map(({ disabled }) => disabled)).toEqual([false, false, true]);
    movePointer(onButton);
    views.set('c1', approval({ id: 'c1', connectedFirst: true, digest: `0x${'ab'.repeat(32)}` }));
    background.changed();
    await pass(10);
    expect(root.textContent).toContain('The permission is given.');
    expect(root.textContent).not.toContain('This request has changed');
    await pass(5_000);
    expect(armed()).toBe(false);
    movePointer(elsewhere);
    await pass(1_000);
    expect(armed()).toBe(true);
  });

  it('cannot be approved without an account', async () => {
    await open(connectApproval);
    root.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
    await pass(5_000);
    expect(armed()).toBe(false);
  });
});
