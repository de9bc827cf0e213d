import { expect, test } from 'vitest';
import { attention } from '../../src/background/attention/attention.ts';
import { relayerErrors } from '../../src/protocol/errors.ts';
import { account, createApprovalStage, network } from './approvalStage.ts';

const CURSOR = { tokenId: 1, parity: 'order' } as const;

async function createStage() {
  const stage = createApprovalStage();
  const none = async () => [];
  const second = { ...account, id: 'net:7', accountId: 7 };
  let requests = 0;
  const sign = (slot: object, accountId: number) =>
    stage.sign({ accountId, requestId: `q${++requests}` }, { slot: { ...CURSOR, nextFromRelayer: 0, ...slot } });
  return {
    async refused() {
      const { id } = await sign({}, account.accountId);
      await stage.journal.markSent(id);
      await stage.refuse(id, relayerErrors.ORDER_ID_INVALID.code);
    },
    async taken({ accountId = account.accountId, ...slot }: { readonly accountId?: number }) {
      const { id } = await sign(slot, accountId);
      await stage.journal.markSent(id);
      await stage.journal.markAcknowledged(id, {});
    },
    kinds: async () =>
      (
        await attention({
          journal: stage.journal,
          attentionOf: { approvals: none, account: none, tokens: none, proofs: none },
          config: { read: async () => ({ accounts: [account, second], claimed: [], networks: [network] }) },
          ports: { now: () => stage.clock.ms, local: stage.local.area, withheldPages: none },
        } as never)
      ).map(({ kind }) => kind),
    later: (ms: number) => {
      stage.clock.ms += ms;
    },
  };
}

test('a request whose number was taken is listed for an hour', async () => {
  const { refused, kinds, later } = await createStage();
  await refused();
  later(3_599_999);
  expect(await kinds()).toEqual(['slot-taken']);
  later(1);
  expect(await kinds()).toEqual([]);
});

test('a request whose number was taken is listed no more once a later one of its counter was taken', async () => {
  const { refused, taken, kinds } = await createStage();
  await taken({});
  await refused();
  expect(await kinds()).toEqual(['slot-taken']);
  for (const elsewhere of [{ accountId: 7 }, { tokenId: 2 }, { parity: 'offchain', nextFromRelayer: 1 }]) {
    await taken(elsewhere);
    expect(await kinds()).toEqual(['slot-taken']);
  }
  await taken({});
  expect(await kinds()).toEqual([]);
});
