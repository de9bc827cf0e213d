import { reported } from '../../../report/report.ts';
import { type ApprovalRequest, askedDigestOf } from '../../approvals/store/approvalRequest.ts';
import { KeyReused } from '../../approvals/store/approvals.ts';
import { type Connection, isOpen, type StoredApproval } from '../../approvals/store/storedApproval.ts';
import { errorAnswer, keyReused, RpcError } from '../../errors/rpcError.ts';
import { createSite } from '../../sites/site.ts';
import type { Wallet } from '../../wallet.ts';
import { type AnyPageMethod, LATER } from './pageMethod.ts';
import type { RoomsOf } from './rooms.ts';
import { callMethod, singleOf } from './router.ts';

type Continued = Pick<Wallet, 'approvals' | 'askAnew' | 'config' | 'endings' | 'grants' | 'rights'>;

/** The request in the place of what it needed, with the same id and the same pages. */
function inPlaceOf(current: StoredApproval, request: ApprovalRequest): StoredApproval | null {
  if (current.kind !== 'connect' || !(isOpen(current) || current.stage === 'approved')) return null;
  if (request.kind === 'connect' || request.kind === 'unlock') return null;
  const { version, id, origin, requestIds, createdAt } = current;
  const asked = { version, id, origin, requestIds, createdAt, askedDigest: askedDigestOf(origin, request) };
  return { ...asked, ...request, connectedFirst: true, stage: 'waiting' };
}

/**
 * Puts a request of a site to the user now that the site has what the request needs. Can be called
 * again after any stop.
 * @param connection - Approved: what its request meets now is its answer. Still pending: it stays
 *   as it is while the site may not ask.
 */
export async function continueRequest(
  wallet: Continued,
  roomsOf: RoomsOf,
  methods: ReadonlyMap<string, AnyPageMethod>,
  connection: Connection,
): Promise<void> {
  const { approvals, config, grants } = wallet;
  const { id, origin, next, stage } = connection;
  const method = next && methods.get(next.method);
  try {
    if (!method) throw new RpcError('unsupported', 'The request is not a method of this wallet.');
    await callMethod(config, method, {
      site: createSite({ config, grants, changed: wallet.rights.changed }, origin),
      params: singleOf(next.params),
      rooms: roomsOf(origin),
      async ask(request) {
        await approvals.become(id, (current) => inPlaceOf(current, request));
        return LATER;
      },
    });
  } catch (error) {
    const refusal =
      error instanceof KeyReused ? keyReused('names an earlier request of this site', error.requestId) : error;
    if (!(refusal instanceof RpcError)) throw refusal;
    return stage === 'approved' ? wallet.endings.finish(connection, {}, errorAnswer(refusal)) : undefined;
  }
  // Behind the approval, which may be decided as soon as it is prepared.
  wallet.askAnew(connection).catch(reported('approvals: prepare'));
}
