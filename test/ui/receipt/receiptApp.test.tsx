// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { MAX_RECEIPT_LENGTH } from '../../../src/messaging/limits.ts';
import { ReceiptApp } from '../../../src/ui/receipt/ReceiptApp.tsx';
import { unprovenGroups } from '../../../src/ui/receipt/unprovenGroups.ts';
import * as f from '../support/fixtures.ts';
import { background, draw, emptyPages, find, root, settled, text } from '../support/page.tsx';

let finding: (typeof f.receiptFindings)[keyof typeof f.receiptFindings];

emptyPages();
beforeEach(async () => {
  finding = f.receiptFindings.valid;
  await draw(<ReceiptApp />, {
    getState: () => f.lockedWallet,
    touch: () => null,
    verifyReceipt: () => finding,
  });
});

async function choose(content: string): Promise<void> {
  const input = root.querySelector<HTMLInputElement>('[data-testid=receipt-file]');
  Object.defineProperty(input, 'files', { value: [new File([content], 'receipt.json')], configurable: true });
  input?.dispatchEvent(new Event('change', { bubbles: true }));
  await settled();
}

it('checks a chosen file while the wallet is locked, and says what is proven and what not', async () => {
  await choose('{"format":"countersign-receipt"}');
  expect(background.callsOf('verifyReceipt')).toEqual([{ text: '{"format":"countersign-receipt"}' }]);
  expect(text()).toContain('The signature fits this request');
  const claimed = root.querySelector('[data-testid=receipt-claimed]')?.textContent?.replaceAll('\u00a0', ' ') ?? '';
  expect(claimed).toContain('Pay 150 LRC and receive at least 0.0315 ETH');
  // The headline holds base units and token ids, and no name that a file could invent.
  const headline = root.querySelector('.receipt-what')?.textContent ?? '';
  expect(headline).toContain('sellToken.volume150000000000000000000');
  expect(headline).not.toContain('LRC');
  // Without a signature of the owner, the key is proven; whose it is stands among the claims.
  const owner = f.account.owner.slice(0, 8);
  expect(headline).toContain('Public key, x');
  expect(headline).not.toContain(owner);
  expect(claimed).toContain(owner);
  expect(text()).toContain('which site asked');
  // Which blocks they are is the word of the file; that the request stands in them was checked.
  expect(claimed).toMatch(/Hash of block 812.*State after block 812.*Hash of block 813/);
  expect(text()).toContain('the request is what stands in the blocksholds');
  expect(text()).toContain('that the exchange published these blocks');
});

it('an owner that signed is proven, and an order says no more than that it is one', async () => {
  const { receipt, unproven, ...rest } = f.receiptFindings.valid;
  finding = {
    ...rest,
    unproven: [...unproven.filter((path) => path !== 'account.owner'), 'operation', 'account.publicKey'],
    receipt: receipt && { ...receipt, operation: 'hardCancel' },
  };
  await choose('{}');
  const proven = root.querySelector('[data-testid=receipt-proven]')?.textContent ?? '';
  const claimed = root.querySelector('[data-testid=receipt-claimed]')?.textContent ?? '';
  expect(proven).toContain('Place order');
  expect(proven).toContain(f.account.owner.slice(0, 8));
  expect(proven).not.toContain('Public key');
  expect(claimed).toContain('Cancel order permanently');
  expect(claimed).not.toContain(f.account.owner.slice(0, 8));
});

it.each([
  ['unsigned', 'not signed'],
  ['invalid', 'Invalid receipt'],
  ['none', 'not a receipt'],
] as const)('a receipt that is %s is no proof', async (which, sentence) => {
  finding = f.receiptFindings[which];
  await choose('{}');
  expect(text()).toContain(sentence);
  expect(text()).not.toContain('The signature fits');
  expect(root.querySelector('[data-testid=receipt-proven]')).toBeNull();
});

it.each([
  ['notYet', 'none', 'named or published no block for it.'],
  ['noBlocks', 'none', 'publishes no blocks'],
  ['root', 'fails', 'A block does not prove it: root'],
] as const)('says why no block proves it: %s', async (reason, outcome, sentence) => {
  const { receipt, checks, ...rest } = f.receiptFindings.valid;
  const others = checks.filter(({ name }) => name !== 'block');
  finding = {
    ...rest,
    receipt: receipt && { ...receipt, blocks: [] },
    checks: [...others, { name: 'block', outcome, reason }],
  };
  await choose('{}');
  expect(root.querySelector('.receipt-checks')?.textContent).toContain(sentence);
});

it('a file that could not be checked can be chosen again', () => {
  const input = find('[data-testid=receipt-file]') as HTMLInputElement;
  const set = vi.spyOn(input, 'value', 'set');
  input.click();
  expect(set).toHaveBeenCalledWith('');
});

it('a file that is too large is not read', async () => {
  await choose('x'.repeat(MAX_RECEIPT_LENGTH + 1));
  expect(background.callsOf('verifyReceipt')).toEqual([]);
  expect(text()).toContain('too large');
});

it('every unproven path of a receipt belongs to a group, weightiest first', () => {
  expect(
    unprovenGroups([
      'history',
      'network.relayer',
      'draft.memo',
      'request',
      'account.owner',
      'shown',
      'status',
      'rule',
      'inclusion',
    ]),
  ).toEqual(['all', 'draft', 'owner', 'network', 'shown', 'relayer', 'block', 'site', 'time']);
});
