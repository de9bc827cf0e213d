// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { ApprovalView, WalletState } from '../../../src/messaging/views.ts';
import { KeyUpdateApp } from '../../../src/ui/keyUpdate/KeyUpdateApp.tsx';
import * as f from '../support/fixtures.ts';
import { background, draw, emptyPages, find, settled } from '../support/page.tsx';

emptyPages();

it('names the page by what it shows, and puts the focus on its heading', async () => {
  let wallet: WalletState = f.lockedWallet;
  let approval: ApprovalView | null = null;
  await draw(<KeyUpdateApp />, {
    getState: () => wallet,
    touch: () => null,
    listPasskeys: () => [],
    getKeyUpdate: () => ({ ...f.firstKey, approval, newKey: null }),
  });
  const titled = async () => {
    background.changed();
    await settled();
    expect(document.title).toBe(`${find('h1').textContent} · Countersign`);
    return find('h1').textContent;
  };
  const titles = [await titled()];
  wallet = f.wallet;
  titles.push(await titled());
  expect(document.activeElement).toBe(find('h1'));
  for (const stage of ['waiting', 'unavailable'] as const) {
    approval = { ...f.firstKey.approval, stage, review: null };
    titles.push(await titled());
    expect(document.activeElement).toBe(find('h1'));
  }
  expect(new Set(titles).size).toBe(4);
});
