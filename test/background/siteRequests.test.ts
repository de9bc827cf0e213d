import { expect, test } from 'vitest';
import { pageKeys } from '../../src/background/rpc/page/createPageRooms.ts';
import { relayerGetRequests } from '../../src/background/rpc/page/requests.ts';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { pendingRequest } from './approvalStage.ts';

test('a site that asks for few of its requests gets the newest, by when they were approved, each with its key', async () => {
  const approvals = [4, 3, 2, 1].map((createdAt) =>
    pendingRequest({ id: `q${createdAt}`, createdAt, idempotencyKey: `key ${createdAt}` }),
  );
  const record = (requestId: string, at: number) =>
    ({ requestId, operation: 'submitOrder', state: 'processed', history: [{ state: 'approved', at }] }) as never;
  const records: readonly SubmissionRecord[] = [record('q1', 9), record('forgotten', 5)];
  const asked: number[] = [];
  const history = {
    approvals: async (most: number) => {
      asked.push(most);
      return approvals.slice(0, most);
    },
    approval: async (id: string) => {
      if (id === 'forgotten') throw new Error('of another version');
      return approvals.find((approval) => approval.id === id);
    },
    records: async () => records,
    request: async () => undefined,
  };
  const rows = (limit?: number) =>
    relayerGetRequests.handle({ rooms: { history }, params: limit === undefined ? undefined : { limit } } as never);
  expect(await rows(3)).toMatchObject([
    { requestId: 'q1', idempotencyKey: 'key 1', status: 'pending', createdAt: 9 },
    { requestId: 'forgotten', status: 'processed', createdAt: 5 },
    { requestId: 'q4', idempotencyKey: 'key 4', status: 'pending', createdAt: 4 },
  ]);
  expect(await rows()).toHaveLength(5);
  expect(asked).toEqual([3, 100]);
});

test('a site may ask for a signature of a layer-1 key that is in the vault and the owner’s own, and of no other', async () => {
  const signers = [
    { id: 'own', kind: 'local', address: '0xAA' },
    { id: 'elsewhere', kind: 'external', address: '0xAA' },
  ];
  const { holdsLayer1Of } = pageKeys({ config: { read: async () => ({ signers }) }, vault: {} } as never);
  const holds = (signer: string, owner: string) => holdsLayer1Of({ signer, owner } as never);
  expect(await holds('own', '0xaa')).toBe(true);
  for (const [signer, owner] of [
    ['own', '0xbb'],
    ['elsewhere', '0xaa'],
    ['gone', '0xaa'],
  ] as const)
    expect(await holds(signer, owner)).toBe(false);
});
