// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { ApprovalView, WalletState } from '../../../src/messaging/views.ts';
import { UiCallError } from '../../../src/ui/background.ts';
import { KeyUpdateApp } from '../../../src/ui/keyUpdate/KeyUpdateApp.tsx';
import * as f from '../support/fixtures.ts';
import { all, background, draw, emptyPages, find, press, settled, text } from '../support/page.tsx';

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

it.each(['getState', 'getKeyUpdate'] as const)(
  'says that %s gave no answer in place of what is read, and reads it again',
  async (method) => {
    let fails = true;
    await draw(<KeyUpdateApp />, {
      getState: () => f.wallet,
      touch: () => null,
      getKeyUpdate: () => ({ ...f.firstKey, approval: null, newKey: null }),
      getKeyUpdateFacts: () => f.firstKeyFacts,
      [method]: () => {
        if (fails) throw new UiCallError('unknown', 'error_unknown');
        return method === 'getState' ? f.wallet : { ...f.firstKey, approval: null, newKey: null };
      },
    });
    expect(all('.skeleton')).toEqual([]);
    expect(text()).not.toContain('Loading');
    fails = false;
    await press(find('[role=alert] button'));
    expect(all('[role=alert]')).toEqual([]);
    expect(find('h1').textContent).toBe('Register a new key');
  },
);
