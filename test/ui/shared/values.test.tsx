// @vitest-environment happy-dom
import { render } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Value } from '../../../src/operations/review.ts';
import { ReviewBody, ReviewDetails } from '../../../src/ui/approval/ReviewBody.tsx';
import { Site } from '../../../src/ui/shared/Site.tsx';
import { ValueView } from '../../../src/ui/shared/ValueView.tsx';
import { useLanguage } from '../support/fakeBackground.ts';
import {
  digest,
  dust,
  eth,
  hostileReview,
  hostileToken,
  lrc,
  now,
  orderHash,
  orderReview,
  points,
} from '../support/fixtures.ts';

let root: HTMLElement;

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  useLanguage('en');
  root = document.createElement('div');
  document.body.append(root);
});

afterEach(() => {
  render(null, root);
  root.remove();
  vi.useRealTimers();
});

function shown(value: Value): string {
  render(<ValueView value={value} />, root);
  return root.textContent?.trim() ?? '';
}

async function settled(): Promise<void> {
  await new Promise((done) => setTimeout(done, 20));
}

describe('a text of a site', () => {
  const drawn = (text: string) => shown({ kind: 'document', text });

  it.each([
    ['up to two blank lines stay', 'one\n\n\ntwo\n', 'one\n\n\ntwo'],
    ['more are counted', `one${'\n'.repeat(3_000)}two`, 'one\n… 2,999 blank lines\ntwo'],
    ['lines of spaces and tabs are blank', `one\n${' \t\r\n'.repeat(3)}two`, 'one\n… 3 blank lines\ntwo'],
    ['at both ends', `${'\n'.repeat(4)}one${'\n'.repeat(5)}`, '… 4 blank lines\none\n… 5 blank lines'],
    ['each run by itself', 'a\n\n\n\nb\n\nc\n\n\n\n\nd', 'a\n… 3 blank lines\nb\n\nc\n… 4 blank lines\nd'],
    [
      'what only looks blank is shown as what it is',
      'a\n\u200b\n\u3164\n\u00a0\nb',
      'a\n[U+200B]\n[U+3164]\n[U+00A0]\nb',
    ],
  ])('%s', (_, text, expected) => {
    expect(drawn(text)).toBe(expected);
  });

  it('marks the count, so that a site cannot write one itself', () => {
    drawn(`… 7 blank lines\n${'\n'.repeat(9)}end`);
    expect([...root.querySelectorAll('.document-blank')].map((count) => count.textContent)).toEqual([
      '… 9 blank lines',
    ]);
  });
});

describe('each kind of value', () => {
  it('keeps a number in one line that has room in one', () => {
    const numbers = [`${10n ** 17n / 3n}`, '7'.repeat(60)].map((volume) => {
      shown({ kind: 'amount', volume, token: eth });
      return root.querySelector('.number')?.className;
    });
    expect(numbers).toEqual(['number number-whole', 'number']);
  });

  it.each<[string, Value, string]>([
    ['amount', { kind: 'amount', volume: '1500000000000000000', token: eth }, '1.5 ETH'],
    ['amount without decimals', { kind: 'amount', volume: '1500', token: points }, '1,500 PTS'],
    ['amount with 78 decimals', { kind: 'amount', volume: '1', token: dust }, `0.${'0'.repeat(77)}1 DUST`],
    ['price', { kind: 'price', value: '0.0021', exact: true, quote: 'ETH', base: 'LRC' }, '0.0021 ETH per LRC'],
    [
      'cut price',
      { kind: 'price', value: '0.333333333', exact: false, quote: 'ETH', base: 'LRC' },
      '≈ 0.33333 ETH per LRC',
    ],
    ['bips', { kind: 'bips', bips: 63 }, '0.63%'],
    ['address', { kind: 'address', address: lrc.address.toLowerCase() }, '0xBBbbCA…7AEafD'],
    ['hex', { kind: 'hex', hex: orderHash }, '0x2a4f1c…80f7e6'],
    ['text', { kind: 'text', text: 'demo\u202e4711' }, 'demo[U+202E]4711'],
    ['integer', { kind: 'integer', value: 10007 }, '10007'],
    ['message', { kind: 'message', key: 'orderType_MAKER_ONLY' }, 'Only rest in the book, never fill at once'],
  ])('draws %s', (_, value, text) => {
    expect(shown(value)).toBe(text);
  });

  it('draws time as date and distance', () => {
    expect(shown({ kind: 'time', seconds: Math.floor(now / 1000) + 86_400 * 30 })).toMatch(/2026.* in 30 days$/);
  });

  it('shows the base units and the token contract one tap away', async () => {
    render(<ValueView value={{ kind: 'amount', volume: '1500000000000000001', token: lrc }} />, root);
    expect(root.textContent).not.toContain('base units');
    root.querySelector<HTMLElement>('button')?.click();
    await settled();
    expect(root.textContent).toContain('1500000000000000001 base units (18 decimals)');
    expect(root.textContent).toContain('token 1 0xBBbbCA…7AEafD');
    expect(root.querySelector('button')?.getAttribute('aria-expanded')).toBe('true');
  });

  it('shows the whole address one tap away', async () => {
    render(<ValueView value={{ kind: 'address', address: lrc.address }} />, root);
    root.querySelector<HTMLElement>('button')?.click();
    await settled();
    expect(root.textContent).toContain(lrc.address);
  });

  it('shows a hash whole that begins so, and shortens it at a tap', async () => {
    render(<ValueView value={{ kind: 'hex', hex: orderHash, whole: true }} />, root);
    expect(root.textContent).toContain(orderHash);
    root.querySelector<HTMLElement>('button')?.click();
    await settled();
    expect(root.textContent).toContain('0x2a4f1c…80f7e6');
  });
});

describe('a review', () => {
  it('is drawn from the sentence, rows, warnings and fields alone', () => {
    render(
      <>
        <ReviewBody review={orderReview} />
        <ReviewDetails review={orderReview} digest={digest} />
      </>,
      root,
    );
    expect(root.querySelector('h1')?.textContent).toBe('Pay 150\u00a0LRC and receive at least 0.0315\u00a0ETH');
    expect(root.querySelectorAll('.ticket-row')).toHaveLength(2);
    expect(root.querySelectorAll('.rows .row')).toHaveLength(3);
    const details = [...root.querySelectorAll('.disclosure summary')].map((summary) => summary.textContent);
    expect(details).toEqual([
      'Guaranteed by your signature (10 fields)',
      'Not guaranteed (3 fields)',
      'Request fingerprint',
    ]);
    expect(root.textContent).toContain(digest);
    for (const field of [...orderReview.bound, ...orderReview.unbound]) {
      expect(root.textContent).toContain(field.path);
      expect(root.textContent).toContain(field.value);
    }
  });

  it('shows hostile names, numbers and memos escaped, capped and isolated', () => {
    render(<ReviewBody review={hostileReview} />, root);
    const text = root.textContent ?? '';
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).toContain('US[U+202E]DС[U+200D]');
    expect(text).toContain('unusual letters');
    expect(text).toContain(
      '≈ 777,777,777,777,777,777,777,777,777,777,777,777,777,777,777,777,777,777,777,712,345,678,901,235',
    );
    const memo = root.querySelector('bdi.outside')?.textContent ?? '';
    expect(memo.startsWith('Refund[U+202E] 0001 TEU[U+2066] [U+0007] free[U+200B]money')).toBe(true);
    expect(memo.endsWith('…')).toBe(true);
    expect(hostileToken.symbol).toContain('\u202e');
  });
});

describe('a site', () => {
  it.each([
    ['https://trade.example.org', 'https://trade.example.org'],
    ['http://localhost:4520', 'http://localhost:4520'],
    ['http://trade.example.org', 'http://trade.example.orgnot secure'],
    ['https://xn--80ak6aa92e.com', 'https://xn--80ak6aa92e.comunusual characters'],
    ['https://a\u202e.example', 'https://a[U+202E].example'],
  ])('%j is drawn as %j', (origin, text) => {
    render(<Site origin={origin} />, root);
    expect(root.textContent).toBe(text);
  });

  it.each([
    ['https://trade.example.org', 'example.org'],
    ['https://paypal.com.account.check.xn--80ak6aa92e.example:8443', 'xn--80ak6aa92e.example:8443'],
    ['https://login.bank.co.uk', 'bank.co.uk'],
    ['https://paypal.com.evil.co', 'evil.co'],
    ['https://127.0.0.1:4511', '127.0.0.1:4511'],
    ['http://localhost:4511', 'localhost:4511'],
  ])('%s stands out by the name that somebody registered, %s', (origin, name) => {
    render(<Site origin={origin} />, root);
    expect(root.querySelector('.site-host')?.textContent).toBe(name);
  });
});
