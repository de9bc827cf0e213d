import { readFileSync } from 'node:fs';
import { entries, setMany } from 'idb-keyval';
import { expect, test } from 'vitest';
import { createWalletHarness } from '../support/wallet.ts';
import { SITE, until } from './support.ts';

/**
 * An order that was answered and one that waits, as the first version of this database held them.
 */
const sample: [string, { stage?: string; id: string; account?: string }][] = JSON.parse(
  readFileSync(new URL('./storedForms/requests-1.json', import.meta.url), 'utf8'),
);

test('requests of the first version are read: answered ones stay answered, and what no page can hear ends', async () => {
  // Two seconds after the last of them: an answered approval is kept for a day.
  const behind = Date.now() - 1_795_440_775_000;
  const wallet = createWalletHarness({ now: () => Date.now() - behind });
  await setMany(sample, wallet.ports.requestStore);
  const [, { account }] = sample.find(([key]) => key.startsWith('approval:')) as (typeof sample)[number];
  await wallet.background().wallet.grants.grant(SITE, [account ?? ''], ['orders']);
  wallet.restart();
  const { approvals } = wallet.background().wallet;
  const stages = async () => Object.fromEntries((await approvals.list()).map(({ stage, id }) => [id, stage]));
  const before = Object.fromEntries(
    sample.flatMap(([key, { id, stage }]) =>
      key.startsWith('approval:') || key.startsWith('ended:') ? [[id, stage]] : [],
    ),
  );
  expect(Object.values(before).sort()).toEqual(['done', 'ready']);
  await until(async () => Object.values(await stages()).every((stage) => stage !== 'ready'));
  const after = await stages();
  for (const [id, stage] of Object.entries(before)) expect(after[id]).toBe(stage === 'ready' ? 'closed' : stage);
  expect(await wallet.page(SITE, 'relayer_submitOrder', [{}], '11111111-1111-4111-8111-111111111111')).toMatchObject({
    error: { code: 4001, data: { reason: 'pageLeft' } },
  });
  const answered = (await entries(wallet.ports.requestStore)).filter(([key]) => String(key).startsWith('request:'));
  expect(answered).toHaveLength(2);
});
