import { expect, test } from 'vitest';
import { relayerOfFile } from './relayerOfFile.ts';
import { ORDER, question, resultOf, SITE, setUp, until } from './support.ts';

/** The browser opens no approval window. */
const relayer = await relayerOfFile();

/** @param failures - Times that no window opens. */
async function stage(failures: number, notifications = true) {
  const tries: string[] = [];
  const made = await setUp(relayer, {
    async showApproval(id) {
      tries.push(id);
      if (tries.length <= failures) throw new Error('No window could be opened');
    },
  });
  await made.wallet.ui('setSettings', { notifications, language: 'de' });
  const answer = made.wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
  const asked = await question(made.wallet);
  const traces = async () => (await made.wallet.ui('getFailures', {})).map(({ where }) => where);
  return { ...made, tries, answer, asked, traces };
}

test('a window that does not open at once is opened a moment later, and no notification comes', async () => {
  const { wallet, tries, asked, traces } = await stage(1);
  await until(async () => tries.length === 2);
  expect(tries).toEqual([asked.id, asked.id]);
  expect(wallet.notes).toEqual([]);
  expect(await traces()).toEqual([]);
});

test('a request without a window is told by a notification, counted on the icon and can be approved as ever', async () => {
  const { wallet, tries, answer, asked, traces } = await stage(2);
  await until(async () => wallet.notes.length > 0);
  expect(wallet.notes).toEqual([
    { id: `waits:${asked.id}`, title: 'queueTitle', message: 'approvalNoWindow', language: 'de' },
  ]);
  expect(tries).toHaveLength(2);
  expect(await traces()).toEqual(['approvals: window']);
  await until(async () => wallet.badge() === 1);
  await wallet.ui('approve', { id: asked.id, digest: asked.digest ?? '', account: asked.account?.id ?? null });
  expect(resultOf(await answer).status).toBe('acknowledged');
  expect(wallet.notes.filter(({ id }) => id.startsWith('waits:'))).toEqual([]);
  await until(async () => wallet.badge() === 0);
});

test('users who want no notifications get none', async () => {
  const { wallet, traces } = await stage(2, false);
  await until(async () => (await traces()).includes('approvals: window'));
  await until(async () => wallet.badge() === 1);
  expect(wallet.notes).toEqual([]);
});
