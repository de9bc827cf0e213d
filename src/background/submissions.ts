import { type RelayerClient, RelayerClientError } from '../client/index.ts';
import { isFinal, isUnknown, type Journal, type SubmissionRecord } from '../journal/index.ts';
import type { NetworkView } from '../messaging/views.ts';
import { isRelayerErrorCode, relayerErrors } from '../protocol/index.ts';
import type { AccountKeys } from './accountKeys.ts';
import type { Config, StoredAccount } from './config.ts';
import type { Ports } from './ports.ts';
import { type Relayers, refusedWith } from './relayers.ts';

/** Waits before the same bytes are sent again while the user is watching; afterwards the alarm goes on. */
const RESEND_AFTER_MS = [0, 1_000, 3_000];
/** An open submission is looked at after a quarter of its age, within these bounds. */
const FIRST_CHECK_MS = 2_000;
const LAST_CHECK_MS = 600_000;
/** Seconds after `validUntil` until an order that the relayer does not know counts as never taken. */
const EXPIRY_GRACE_SECONDS = 120;

const finalOf: Readonly<Record<string, 'processed' | 'failed' | 'expired' | 'cancelled'>> = {
  processed: 'processed',
  failed: 'failed',
  expired: 'expired',
  cancelled: 'cancelled',
};

interface Owner {
  readonly account: StoredAccount;
  readonly network: NetworkView;
}

/**
 * Takes a signed submission to its end: sends the journal's bytes, asks before it sends them again, follows what was
 * acknowledged. Never signs, never builds a request.
 */
export function createSubmissions(deps: {
  readonly ports: Pick<Ports, 'now'>;
  readonly journal: Journal;
  readonly config: Config;
  readonly relayers: Relayers;
  readonly accountKeys: AccountKeys;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called after each change of a record that somebody may be waiting for. */
  readonly changed: (record: SubmissionRecord) => Promise<void>;
}) {
  const { ports, journal, config, relayers, accountKeys } = deps;
  /** One worker at a time per submission, within this life of the background. */
  const busy = new Map<string, Promise<SubmissionRecord>>();
  /** Unix milliseconds of the last look; lost with the worker, which then looks once more. */
  const lookedAt = new Map<string, number>();

  async function ownerOf(record: SubmissionRecord): Promise<Owner> {
    const data = await config.read();
    const network = data.networks.find(({ id }) => id === record.networkId);
    const account = data.accounts.find(
      ({ networkId, accountId }) => networkId === record.networkId && accountId === record.accountId,
    );
    if (!network || !account) throw new Error(`submission ${record.id} belongs to no account of this wallet`);
    return { account, network };
  }

  async function post(record: SubmissionRecord, { account, network }: Owner): Promise<Record<string, unknown>> {
    const { wire } = record;
    if (!wire) throw new Error(`submission ${record.id} has no bytes to send`);
    const client = relayers.client(network);
    const method = client[wire.endpoint as keyof RelayerClient] as (input: object) => Promise<Record<string, unknown>>;
    const { endpoint: _, ...request } = wire;
    if (wire.endpoint === 'updateAccount') return method(request);
    return accountKeys.withApiKey(account, network, (apiKey) => method({ ...request, apiKey }));
  }

  const orderHashOf = (record: SubmissionRecord): string =>
    record.operation === 'cancelOrder' ? String(record.wire?.query?.orderHash) : String(record.hash);

  async function findOrder(record: SubmissionRecord, { account, network }: Owner) {
    try {
      return await accountKeys.withApiKey(account, network, (apiKey) =>
        relayers
          .client(network)
          .getOrder({ query: { accountId: account.accountId, orderHash: orderHashOf(record) }, apiKey }),
      );
    } catch (error) {
      if (refusedWith(error, 107003)) return null;
      throw error;
    }
  }

  /** What the relayer reports about the order decides; an order that is still open leaves the record as it is. */
  async function takeOrderStatus(record: SubmissionRecord, status: string, ack: Record<string, unknown>) {
    const final = finalOf[status];
    if (record.operation === 'cancelOrder') {
      if (status === 'cancelled') return journal.markFinal(record.id, 'processed', { ack: asJson(ack) });
      if (final) return journal.markFinal(record.id, 'failed', { ack: asJson(ack), note: `the order is ${status}` });
    } else if (final) return journal.markFinal(record.id, final, { ack: asJson(ack) });
    return record.state === 'acknowledged' ? record : journal.markAcknowledged(record.id, asJson(ack));
  }

  async function takeAnswer(record: SubmissionRecord, ack: Record<string, unknown>): Promise<SubmissionRecord> {
    const { hash, status } = ack as { hash?: string; status?: string };
    const honest = record.operation !== 'submitOrder' || BigInt(hash ?? '0x0') === BigInt(record.hash ?? '0x0');
    const next = await journal.markAcknowledged(
      record.id,
      asJson(ack),
      honest ? undefined : `the relayer reports the hash ${hash}, the signed one is ${record.hash}`,
    );
    return status && status in finalOf && record.operation !== 'updateAccountKey'
      ? takeOrderStatus(next, status, ack)
      : next;
  }

  async function takeFailure(record: SubmissionRecord, owner: Owner, error: unknown): Promise<SubmissionRecord> {
    if (!(error instanceof RelayerClientError)) throw error;
    const code = error.relayerCode;
    const details = {
      code: code ?? error.kind,
      ...(code !== undefined && isRelayerErrorCode(code) ? { name: relayerErrors[code].name } : {}),
      message: error.message.slice(0, 2000),
      outcome: error.outcome,
    };
    if (error.outcome !== 'refused' || code === undefined) return journal.markUnanswered(record.id, details);
    // Somebody else's order in the slot, or our own that arrived before: the relayer's list tells which.
    if (record.operation === 'submitOrder' && [102004, 102007, 102021].includes(code)) {
      const order = await findOrder(record, owner);
      if (order) return takeOrderStatus(record, order.status, order);
    }
    if (record.operation === 'cancelOrder' && (code === 102117 || code === 102122)) {
      const order = await findOrder(record, owner);
      if (order?.status === 'cancelled' || order?.status === 'cancelling')
        return takeOrderStatus(record, order.status, order);
    }
    if (isRelayerErrorCode(code) && relayerErrors[code].retry === 'same-bytes')
      return journal.markUnanswered(record.id, details);
    return journal.markRefused(record.id, details);
  }

  async function sendOnce(record: SubmissionRecord, owner: Owner): Promise<SubmissionRecord> {
    const sent = await journal.markSent(record.id);
    let ack: Record<string, unknown>;
    try {
      ack = await post(sent, owner);
    } catch (error) {
      return takeFailure(sent, owner, error);
    }
    return takeAnswer(sent, ack);
  }

  /** Looks the submission up at the relayer; `null` when the relayer does not know it and the bytes have to go again. */
  async function lookUp(record: SubmissionRecord, owner: Owner): Promise<SubmissionRecord | null> {
    if (record.operation === 'submitOrder') {
      const order = await findOrder(record, owner);
      if (order) return takeOrderStatus(record, order.status, order);
      const seconds = ports.now() / 1000;
      if (record.validUntil !== undefined && seconds > record.validUntil + EXPIRY_GRACE_SECONDS)
        return journal.markFinal(record.id, 'expired', { note: 'unknown to the relayer after its expiry' });
      return null;
    }
    if (record.operation === 'updateAccountKey') return lookUpKey(record, owner);
    return null;
  }

  async function lookUpKey(record: SubmissionRecord, { network }: Owner): Promise<SubmissionRecord | null> {
    const { publicKey } = record.draft as { publicKey: { x: string; y: string } };
    const reported = await relayers.client(network).getAccount({ query: { accountId: record.accountId } });
    const same = reported.publicKey.x !== '' && BigInt(reported.publicKey.x) === BigInt(publicKey.x);
    if (same) return journal.markFinal(record.id, 'processed');
    return record.state === 'acknowledged' ? record : null;
  }

  async function work(id: string, known: 'new' | 'maybe-sent'): Promise<SubmissionRecord> {
    let record = await journal.get(id);
    if (!record) throw new Error(`the journal has no submission ${id}`);
    const owner = await ownerOf(record);
    for (const [attempt, pause] of RESEND_AFTER_MS.entries()) {
      if (!isUnknown(record)) break;
      await deps.sleep(pause);
      try {
        const found: SubmissionRecord | null = attempt === 0 && known === 'new' ? null : await lookUp(record, owner);
        record = found ?? (await sendOnce(record, owner));
      } catch (error) {
        if (!(error instanceof RelayerClientError)) throw error;
      }
    }
    await deps.changed(record);
    return record;
  }

  async function follow(record: SubmissionRecord): Promise<SubmissionRecord> {
    const owner = await ownerOf(record);
    let next = record;
    if (record.operation === 'updateAccountKey') next = (await lookUpKey(record, owner)) ?? record;
    else {
      const order = await findOrder(record, owner);
      if (order) next = await takeOrderStatus(record, order.status, order);
    }
    if (next !== record) await deps.changed(next);
    return next;
  }

  function alone(id: string, run: () => Promise<SubmissionRecord>): Promise<SubmissionRecord> {
    let running = busy.get(id);
    if (!running) {
      running = run().finally(() => {
        busy.delete(id);
        lookedAt.set(id, ports.now());
      });
      busy.set(id, running);
    }
    return running;
  }

  /** When an open submission is due for a look, Unix milliseconds. */
  function dueAt(record: SubmissionRecord): number {
    const last = lookedAt.get(record.id) ?? record.history.at(-1)?.at ?? 0;
    const age = Math.max(0, last - (record.history[0]?.at ?? last));
    return last + Math.min(LAST_CHECK_MS, Math.max(FIRST_CHECK_MS, age / 4));
  }

  return {
    /** Sends what was just signed. Ends with an answer, or unknown after three tries. */
    send: (id: string) => alone(id, () => work(id, 'new')),

    /** Asks about one submission now, whatever its schedule says. */
    async check(id: string): Promise<SubmissionRecord> {
      const record = await journal.get(id);
      if (!record) throw new Error(`the journal has no submission ${id}`);
      if (isFinal(record.state)) return record;
      return alone(id, () => (isUnknown(record) ? work(id, 'maybe-sent') : follow(record)));
    },

    /** Looks at everything that is due. A failure leaves its record as it is, for the next time. */
    async checkDue(): Promise<void> {
      for (const record of await journal.pending()) {
        if (record.state === 'reserved' || dueAt(record) > ports.now()) continue;
        await this.check(record.id).catch(() => {});
      }
    },

    /** When the next look is due, Unix milliseconds; `undefined` when nothing is open. */
    async nextDueAt(): Promise<number | undefined> {
      const open = (await journal.pending()).filter(({ state }) => state !== 'reserved');
      return open.length > 0 ? Math.max(ports.now() + FIRST_CHECK_MS, Math.min(...open.map(dueAt))) : undefined;
    },
  };
}

export type Submissions = ReturnType<typeof createSubmissions>;

// biome-ignore lint/suspicious/noExplicitAny: an answer of the relayer is JSON by its transport
const asJson = (value: unknown): any => JSON.parse(JSON.stringify(value));
