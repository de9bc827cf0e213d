import { expect, test } from 'vitest';
import { keyUpdates } from '../../src/background/keyUpdate/keyUpdates.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { movableClock, PASSWORD, refusal, resultOf, SITE, setUp, until } from './support.ts';

/**
 * A relayer that takes key updates and says 102021: each is signed once for each click, and ends as
 * what it became.
 */
const relayer = await relayerOfFile();

/** Asked for by a site, approved, and refused by a relayer that keeps it. */
async function refused() {
  const clock = movableClock();
  const held: (() => Promise<Response>)[] = [];
  const stage = await setUp(
    relayer,
    {
      now: clock.now,
      fetch: async (input, init) => {
        const isUpdate = init?.method === 'POST' && new URL(String(input)).pathname === '/api/v3/account';
        if (!isUpdate) return fetch(input, init);
        // The time limit of the call runs while it is held.
        held.push(() => fetch(input, { ...init, signal: null }));
        return refusal(102021);
      },
    },
    ['key'],
  );
  const { wallet, accountView, client, account } = stage;
  const answer = wallet.page(SITE, 'relayer_updateAccountKey', [{}]);
  const asked = await until(async () => {
    const [first] = await wallet.ui('listApprovals', {});
    const view = first && (await wallet.ui('getApproval', { id: first.id }));
    return view?.stage === 'choosing' && view;
  });
  const view = () => wallet.ui('getApproval', { id: asked.id });
  const choose = () =>
    wallet.ui('startKeyUpdate', { account: accountView, approval: asked.id, kind: 'derived', feeTokenId: null });
  const click = async () => {
    const { digest } = await choose();
    await wallet.ui('approve', { id: asked.id, digest: digest ?? '', account: accountView, password: PASSWORD });
  };
  const records = () =>
    keyUpdates(wallet.background().wallet, { networkId: stage.network.id, accountId: account.accountId });
  /** The honest relayer carries out what the liar was given. */
  const carryOut = async () => {
    await held[0]?.();
    await until(async () => {
      await relayer.engine.run();
      return (await client.getAccount({ query: { accountId: account.accountId } })).nonce === 2;
    });
  };
  const look = async () => {
    clock.advance(20_000);
    await wallet.ui('touch', {});
    await wallet.background().onWake();
  };
  const back = () => until(async () => (await view()).stage === 'choosing' && (await view()).problem !== null);
  return { ...stage, answer, id: asked.id, view, choose, click, records, carryOut, look, back, held };
}

const stagedKeysOf = ({ wallet, accountView }: Awaited<ReturnType<typeof refused>>) =>
  wallet.background().wallet.stagedKeys.list(accountView);

test('it comes back with the refusal, and the review names the signature that may still count', async () => {
  const { click, back, view, choose, held, wallet } = await refused();
  await click();
  await back();
  expect((await view()).problem).toMatchObject({ key: 'problem_refusedUntil', values: { until: { kind: 'time' } } });
  const again = await choose();
  expect(again.review?.warnings[0]).toMatchObject({
    rule: 'signed-before',
    severity: 'danger',
    text: { values: { copies: { value: 1 }, until: { kind: 'time' } } },
  });
  wallet.restart();
  await wallet.ui('unlock', { password: PASSWORD });
  await wallet.background().onWake();
  expect(held).toHaveLength(1);
});

test('its account stays while the refused key may still be registered', async () => {
  const { click, back, wallet, accountView } = await refused();
  await click();
  await back();
  await wallet.background().wallet.reject((await wallet.ui('listApprovals', {}))[0]?.id ?? '', false);
  for (const unconfirmed of [false, true])
    expect(
      await wallet.uiAnswer('removeAccount', { account: accountView, password: PASSWORD, unconfirmed }),
    ).toMatchObject({ error: { code: 'work-pending', values: { count: '1' } } });
});

test('another click gives one more signature, and the next review names both', async () => {
  const { click, back, choose, held } = await refused();
  await click();
  await back();
  await click();
  await until(async () => held.length === 2);
  await back();
  expect((await choose()).review?.warnings[0]?.text.values).toMatchObject({ copies: { value: 2 } });
  expect(held).toHaveLength(2);
});

test('when the relayer has carried it out, the request ends with that, and no unused key is left', async () => {
  const stage = await refused();
  await stage.click();
  await stage.back();
  await stage.carryOut();
  // A key for the next nonce, which nobody will ask with.
  await stage.choose();
  await stage.look();
  const [record] = await stage.records();
  expect(record).toMatchObject({ state: 'processed' });
  expect(resultOf(await stage.answer).hash).toBe(record?.hash);
  expect(await stage.wallet.ui('listApprovals', {})).toEqual([]);
  await until(async () => (await stagedKeysOf(stage)).length === 0);
});

test('a worker that stopped between the find and the end of the request ends it at its next start', async () => {
  const stage = await refused();
  await stage.click();
  await stage.back();
  await stage.carryOut();
  const { wallet } = stage;
  const stopped = new Promise<void>((done) => {
    Object.assign(wallet.background().wallet.approvals, {
      settle: () => {
        done();
        return new Promise(() => {});
      },
    });
  });
  void stage.look();
  await stopped;
  wallet.stop();
  wallet.restart();
  expect(resultOf(await stage.answer).hash).toBe((await stage.records())[0]?.hash);
});

test('one that is found between the refusal and the return to the user ends all the same', async () => {
  const stage = await refused();
  const { approvals, submissions } = stage.wallet.background().wallet;
  const { update } = approvals;
  Object.assign(approvals, {
    update: async (...given: Parameters<typeof update>) => {
      const [record] = await stage.records();
      if (record?.state === 'refused') {
        await stage.carryOut();
        await submissions.check(record.id);
      }
      return update(...given);
    },
  });
  await stage.click();
  expect(resultOf(await stage.answer).hash).toBe((await stage.records())[0]?.hash);
  expect(await stage.wallet.ui('listApprovals', {})).toEqual([]);
});
