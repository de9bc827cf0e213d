import { beforeEach, expect, test } from 'vitest';
import { pageHistory } from '../../src/background/rpc/page/createPageRooms.ts';
import { relayerGetReceipt, relayerGetRequest, relayerGetRequests } from '../../src/background/rpc/page/requests.ts';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { type ApprovalStage, createApprovalStage, SITE } from './approvalStage.ts';

let stage: ApprovalStage;
beforeEach(() => {
  stage = createApprovalStage();
});

/** What a site is told, with the receipt as the id of the submission that it is of. */
async function told() {
  const history = {
    ...pageHistory({ journal: stage.journal, approvals: { get: async () => undefined } } as never, SITE),
    approval: async () => undefined,
    approvals: async () => [],
    approvalOfKey: async () => undefined,
    request: async () => undefined,
    receipt: async ({ id }: SubmissionRecord) => id,
  };
  const rooms = { rooms: { history } } as never as { readonly rooms: never };
  const params = { requestId: 'q' };
  return {
    one: await relayerGetRequest.handle({ ...rooms, params } as never),
    all: await relayerGetRequests.handle({ ...rooms, params: undefined } as never),
    receipt: await relayerGetReceipt.handle({ ...rooms, params } as never),
  };
}

const draft = { networkId: 'net', accountId: 1, origin: SITE, operation: 'transfer', draft: {}, reviewDigest: '0x1' };

test('a site hears what became of the signature, not of a further copy or order that was given up', async () => {
  const { id } = await stage.sign();
  await stage.refuse(id);
  const copy = await stage.journal.reserve({ ...draft, requestId: 'q' }, { copies: 2 });
  await stage.journal.markAbandoned(copy.id, 'stopped before signing');
  const order = await stage.journal.reserve({ ...draft, requestId: 'q/1' });
  await stage.journal.markAbandoned(order.id, 'no signature left the wallet');
  expect(await told()).toMatchObject({ one: { status: 'refused' }, all: [{ status: 'refused' }], receipt: id });
  await stage.journal.markFinal(id, 'processed');
  const processed = { requestId: 'q', status: 'processed' };
  expect(await told()).toMatchObject({ one: processed, all: [processed], receipt: id });
});

test('a site hears that a request was given up when nothing of it was signed', async () => {
  const { id } = await stage.journal.reserve({ ...draft, requestId: 'q' });
  await stage.journal.markAbandoned(id, 'stopped before signing');
  expect(await told()).toMatchObject({ one: { status: 'abandoned' }, all: [{ status: 'abandoned' }], receipt: id });
});

test('a site that asks for one request has no other record read, unless one of the request is damaged', async () => {
  const { id } = await stage.sign();
  const byRequest = async (origin: string, requestId: string) => {
    if (requestId === 'damaged') throw new Error('damaged');
    return stage.journal.byRequest(origin, requestId);
  };
  const lists: string[] = [];
  const list = async () => {
    lists.push('all');
    return ['damaged/1', 'other', 'damaged'].map((requestId) => ({ requestId }));
  };
  const { submissions } = pageHistory({ journal: { byRequest, list } } as never, SITE);
  expect(await submissions('q')).toMatchObject([{ id }]);
  expect(lists).toEqual([]);
  expect(await submissions('damaged')).toEqual([{ requestId: 'damaged' }, { requestId: 'damaged/1' }]);
});

test('a site hears of the last of several orders also when those before it are forgotten', async () => {
  const { id } = await stage.journal.reserve({ ...draft, requestId: 'q/2' });
  await stage.journal.markAbandoned(id, 'stopped before signing');
  expect(await told()).toMatchObject({ one: { status: 'abandoned' }, all: [{ status: 'abandoned' }], receipt: id });
});
