import { randomUUID } from 'node:crypto';
import type { Hex } from 'viem';
import type { DeploymentStatus } from '../../protocol/statuses.ts';
import { isDatabaseTrouble, type Sql } from '../db/port.ts';
import { Refusal } from '../errors.ts';
import { loggedError } from '../server/loggedError.ts';
import { tokenToWei } from './fees.ts';
import type { Relayer } from './relayer.ts';

/** A deployment that was paid. */
interface DeploymentRow {
  readonly address: Hex;
  readonly status: 'WAITING' | 'SENDING' | 'SENT' | 'DEPLOYED' | 'REVERTED';
  readonly nonce: number | null;
  readonly raw_transaction: Hex | '';
  readonly tx_hash: Hex | '';
  readonly updated_at: number;
}

/** Longer than the timeouts and retries of the calls between claim and send. */
const LEASE_SECONDS = 120;
/** A transaction that is still open after this time is sent again, the same bytes. */
const RESEND_SECONDS = 60;
const DEPLOYER_LOCK = 727_004;
/** Deployments that one call follows. */
const AT_ONCE = 50;
/** From one attempt of the engine that failed or changed nothing to the next for the same row. */
const PAUSE_MS = 5_000;
/** A deployment waits while its transaction could cost this many times what was paid for it. */
const DEAREST = 3n;
/** How long a request waits for the process that sends. */
const PATIENCE_MS = 8_000;

/**
 * The transaction that deploys a paid contract, sent by this process unless another one is at it.
 * @throws {Refusal} L1_NODE_ERROR while it cannot be sent, or when sending takes too long;
 *   INVALID_ARGUMENT when somebody else deployed the contract before.
 */
export async function deploymentHash(relayer: Relayer, address: string): Promise<Hex> {
  const until = performance.now() + PATIENCE_MS;
  const later = () =>
    new Refusal('L1_NODE_ERROR', 'the deployment is paid and waits for layer 1; send the same request again');
  for (let pause = 50; ; pause = Math.min(2 * pause, 800)) {
    await sendDeployment(relayer, address).catch((error) => {
      if (isDatabaseTrouble(error)) throw error;
      relayer.trouble(error);
      throw later();
    });
    const row = await findDeployment(relayer, address);
    if (row?.status === 'DEPLOYED' && row.tx_hash === '')
      throw new Refusal(
        'INVALID_ARGUMENT',
        'tokenAddress: the deployment is paid, and somebody else deployed the contract before anything was sent',
      );
    if (row && row.tx_hash !== '' && row.status !== 'SENDING' && row.status !== 'WAITING') return row.tx_hash;
    if (performance.now() > until) throw later();
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Paid, and not final in layer 1. */
export const OPEN_DEPLOYMENT = `status IN ('WAITING', 'SENDING', 'SENT')`;

/**
 * Sends what was paid, and polls what was sent: `AT_ONCE` of them, the next ones at the next call,
 * so that none waits behind others that do not move.
 */
export async function followDeployments(relayer: Relayer): Promise<void> {
  const progress = progressOf(relayer);
  const { tried, after } = progress;
  const open = await relayer.db.query<DeploymentRow>(
    `SELECT * FROM l1_deployments WHERE ${OPEN_DEPLOYMENT} AND address COLLATE "C" > $1
     ORDER BY address COLLATE "C" LIMIT ${AT_ONCE}`,
    [after],
  );
  const last = open.length < AT_ONCE ? undefined : open.at(-1)?.address;
  progress.after = last ?? '';
  for (const address of tried.keys())
    if (address > after && (!last || address <= last) && !open.some((row) => row.address === address))
      tried.delete(address);
  for (const row of open.toSorted((a, b) => a.updated_at - b.updated_at)) {
    const before = tried.get(row.address);
    if (before && performance.now() - before.at < PAUSE_MS && (before.cause || before.status === row.status)) continue;
    const { status } = row;
    try {
      await follow(relayer, row);
      // A step by hand looks each time.
      if (relayer.config.engine === 'stepped') tried.delete(row.address);
      else tried.set(row.address, { at: performance.now(), status, cause: '' });
    } catch (error) {
      const { type, message, details } = loggedError(error);
      const cause = [type, message, details].join(' ');
      tried.set(row.address, { at: performance.now(), status, cause });
      if (cause !== before?.cause)
        relayer.log.warn({ err: error, address: row.address }, 'a deployment waits for the L1 chain');
    }
  }
}

async function follow(relayer: Relayer, row: DeploymentRow): Promise<void> {
  if (await isDeployed(relayer, row)) {
    // Perhaps by somebody else. The bytes are followed until their nonce is used: later nonces wait
    // behind it.
    await setContractStatus(relayer, relayer.db, row.address, 'DEPLOYED');
    if (row.raw_transaction === '') return followUnsigned(relayer, row);
  }
  if (row.status === 'SENT') return followSent(relayer, row);
  await sendDeployment(relayer, row.address).catch(async (error) => {
    // Signed bytes that no node takes any more, because another transaction used their nonce.
    if (row.raw_transaction === '' || (await fateOf(relayer, row)) !== 'superseded') throw error;
    await followSuperseded(relayer, row);
  });
}

interface Progress {
  /** The last attempt of each deployment; what it failed of is logged once. */
  readonly tried: Map<string, { readonly at: number; readonly status: string; readonly cause: string }>;
  /** The address after which the next call goes on. */
  after: string;
}

const progresses = new WeakMap<Relayer, Progress>();

function progressOf(relayer: Relayer): Progress {
  const known = progresses.get(relayer) ?? { tried: new Map(), after: '' };
  progresses.set(relayer, known);
  return known;
}

async function findDeployment({ db }: Relayer, address: string): Promise<DeploymentRow | undefined> {
  const [row] = await db.query<DeploymentRow>('SELECT * FROM l1_deployments WHERE address = $1', [
    address.toLowerCase(),
  ]);
  return row;
}

/**
 * Claims a deployment and sends it. The bytes are signed and stored under the claim before they
 * leave: whoever takes over a lapsed claim finds and sends the same transaction, so there is never
 * a second one.
 */
async function sendDeployment(relayer: Relayer, address: string): Promise<void> {
  const holder = randomUUID();
  const claimed = await claim(relayer, address.toLowerCase(), holder);
  if (!claimed) return;
  try {
    const raw = claimed.raw_transaction || (await sign(relayer, claimed, holder));
    if (raw === undefined) return;
    await relayer.l1.broadcast(raw);
  } catch (error) {
    // What was signed may have left; what was not is free for the next attempt.
    await relayer.db.query(
      `UPDATE l1_deployments SET lease_until = now(), status = CASE WHEN raw_transaction = '' THEN 'WAITING' ELSE status END
       WHERE address = $1 AND lease_holder = $2`,
      [claimed.address, holder],
    );
    throw error;
  }
  await relayer.db.query(
    `UPDATE l1_deployments SET status = 'SENT', sent_at = now(), updated_at = $3
     WHERE address = $1 AND lease_holder = $2 AND status = 'SENDING'`,
    [claimed.address, holder, relayer.clock.now()],
  );
}

/** One deployment at a time is without a stored nonce, so that no two take the same. */
async function claim(relayer: Relayer, address: string, holder: string): Promise<DeploymentRow | undefined> {
  return relayer.db.transaction(async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(${DEPLOYER_LOCK})`);
    const [row] = await tx.query<DeploymentRow>(
      `UPDATE l1_deployments SET status = 'SENDING', lease_holder = $2, updated_at = $3,
         lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
       WHERE address = $1 AND (status = 'WAITING' OR (status = 'SENDING' AND lease_until <= clock_timestamp()))
         AND (raw_transaction <> '' OR NOT EXISTS (
           SELECT 1 FROM l1_deployments other WHERE other.address <> $1 AND other.status = 'SENDING'
             AND other.raw_transaction = '' AND other.lease_until > clock_timestamp()))
       RETURNING *`,
      [address, holder, relayer.clock.now()],
    );
    return row;
  });
}

/** Signs and stores; `undefined` when the claim was lost meanwhile. */
async function sign(relayer: Relayer, row: DeploymentRow, holder: string): Promise<Hex | undefined> {
  const { address } = row;
  const [contract] = await relayer.db.query<{
    factory: Hex;
    owner: Hex;
    base_uri: string;
    least: number;
    token_id: number | null;
    paid: bigint | null;
  }>(
    `SELECT factory, nft_contracts.owner, base_uri, token_id, amount AS paid, (
       SELECT coalesce(max(nonce) + 1, 0) FROM l1_deployments WHERE status IN ('SENDING', 'SENT')) AS least
     FROM nft_contracts JOIN l1_deployments USING (address) LEFT JOIN requests ON hash = request_hash
     WHERE address = $1`,
    [address],
  );
  if (!contract) throw new Error(`contract ${address} is unknown`);
  const { factory, owner, base_uri: baseUri, least } = contract;
  const before = await fateOf(relayer, row);
  if (before === 'open' || before === 'done')
    throw new Error(`layer 1 has ${row.tx_hash} after all, which deploys this contract`);
  // Contracts of the time before have no request.
  const token = contract.token_id === null ? undefined : relayer.catalog.token(contract.token_id);
  const worth = token && contract.paid !== null ? tokenToWei(relayer, contract.paid, token) : undefined;
  const { rawTransaction, txHash, nonce } = await relayer.l1.signDeployment(
    { address, factory, owner, baseUri },
    least,
    worth === undefined ? undefined : DEAREST * worth,
  );
  const stored = await relayer.db.query(
    `UPDATE l1_deployments SET raw_transaction = $3, tx_hash = $4, nonce = $5
     WHERE address = $1 AND lease_holder = $2 AND status = 'SENDING' AND lease_until > clock_timestamp()
     RETURNING address`,
    [address, holder, rawTransaction, txHash, nonce],
  );
  return stored.length > 0 ? rawTransaction : undefined;
}

const isDeployed = async ({ l1 }: Relayer, { address }: DeploymentRow) => (await l1.getCode(address)) !== '0x';

async function fateOf({ l1 }: Relayer, { address, tx_hash: txHash, nonce }: DeploymentRow) {
  return txHash === '' || nonce === null ? undefined : l1.fateOf({ address, txHash, nonce });
}

/** The contract is there, and no bytes for it are on their way. */
async function followUnsigned(relayer: Relayer, row: DeploymentRow): Promise<void> {
  if ((await relayer.l1.getFinalCode(row.address)) === '0x') return;
  // A node behind the one that has the code.
  if ((await fateOf(relayer, row)) === 'open') return;
  return end(relayer, row, 'DEPLOYED');
}

/** Hash and nonce stay with the row until it is signed anew. */
async function followSuperseded(relayer: Relayer, row: DeploymentRow): Promise<void> {
  const { address, tx_hash: txHash, nonce } = row;
  relayer.log.warn({ address, txHash, nonce }, 'another transaction used the nonce of a deployment');
  await relayer.db.query(
    `UPDATE l1_deployments SET status = 'WAITING', raw_transaction = ''
     WHERE address = $1 AND status IN ('SENDING', 'SENT') AND tx_hash = $2`,
    [address, txHash],
  );
}

async function followSent(relayer: Relayer, row: DeploymentRow): Promise<void> {
  const { address, raw_transaction: rawTransaction, tx_hash: txHash } = row;
  if (rawTransaction === '') return;
  const fate = await fateOf(relayer, row);
  if (fate === 'done' || fate === 'reverted') {
    // Perhaps somebody else deployed it, which is why this one was reverted.
    if (await isDeployed(relayer, row)) return end(relayer, row, 'DEPLOYED');
    if (fate === 'done') throw new Error(`layer 1 carried out ${txHash}, and no contract is at ${address}`);
    relayer.log.error({ address, txHash }, 'layer 1 reverted a paid deployment; it is not sent again');
    return end(relayer, row, 'REVERTED');
  }
  if (fate === 'superseded') return followSuperseded(relayer, row);
  if (fate !== 'open') return;
  const due = await relayer.db.query(
    `UPDATE l1_deployments SET sent_at = now() WHERE address = $1 AND status = 'SENT'
       AND sent_at < now() - interval '${RESEND_SECONDS} seconds' RETURNING address`,
    [address],
  );
  if (due.length > 0) await relayer.l1.broadcast(rawTransaction);
}

/**
 * Ends a deployment, unless other bytes were signed for it since `row` was read. It keeps the hash
 * of what was sent, also when somebody else deployed the contract: a repeat answers it.
 */
async function end(
  relayer: Relayer,
  { address, raw_transaction: rawTransaction }: DeploymentRow,
  status: 'DEPLOYED' | 'REVERTED',
): Promise<void> {
  await relayer.db.transaction(async (tx) => {
    const ended = await tx.query(
      `UPDATE l1_deployments SET status = $2, updated_at = $3
       WHERE address = $1 AND raw_transaction = $4 RETURNING address`,
      [address, status, relayer.clock.now(), rawTransaction],
    );
    if (ended.length > 0)
      await setContractStatus(relayer, tx, address, status === 'DEPLOYED' ? 'DEPLOYED' : 'DEPLOY_FAILED');
  });
}

const setContractStatus = ({ clock }: Relayer, sql: Sql, address: Hex, status: DeploymentStatus) =>
  sql.query('UPDATE nft_contracts SET status = $2, updated_at = $3 WHERE address = $1 AND status <> $2', [
    address,
    status,
    clock.now(),
  ]);
