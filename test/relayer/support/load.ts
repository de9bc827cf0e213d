import { openPostgres } from '../../../src/relayer/db/postgres.ts';
import { atEndOfFile } from '../../support/atEndOfFile.ts';
import { auditDatabase } from './audit.ts';
import type { RelayerProcess } from './relayerProcess.ts';
import { callerOf, type Reply, TestAccount } from './testAccount.ts';
import { ETH, ether, LRC } from './tokens.ts';

/**
 * Signed orders and transfers of a few accounts, sent to several processes until they are
 * acknowledged.
 */
export interface Load {
  /** Hashes of acknowledged submissions. */
  readonly acknowledged: Set<string>;
  /** Answers that no trouble of the database explains. */
  readonly wrong: unknown[];
  /** Resolves when `more` further submissions were acknowledged. */
  acknowledgements(more: number): Promise<void>;
  /** Resolves when a further submission of each account was acknowledged. */
  acknowledgementOfEach(): Promise<void>;
  /**
   * Sends to these processes from now on, also what has no answer yet: the same bytes again, as a
   * client does that waited too long.
   */
  redirect(processes: readonly Pick<RelayerProcess, 'url'>[]): void;
  /** Lets running submissions end and sends no more. */
  stop(): Promise<void>;
}

/** Refusals after which the same bytes may be sent again. */
const RETRYABLE = new Set([100000, 100002, 102014, 102027]);

export async function startLoad(processes: readonly Pick<RelayerProcess, 'url'>[], accounts = 4): Promise<Load> {
  let targets = processes;
  let stopped = false;
  const acknowledged = new Set<string>();
  const wrong: unknown[] = [];
  const waiting: { isOver(): boolean; resolve(): void }[] = [];
  const until = (isOver: () => boolean) => new Promise<void>((resolve) => waiting.push({ isOver, resolve }));
  let abandon = () => {};
  let abandoned: Promise<undefined>;
  const direct = (to: typeof processes) => {
    targets = to;
    abandon();
    abandoned = new Promise((resolve) => {
      abandon = () => resolve(undefined);
    });
  };
  direct(processes);
  atEndOfFile(() => {
    stopped = true;
  });
  const [{ url }] = processes as [RelayerProcess];
  const { body: info } = await callerOf(url)('GET', '/api/v3/exchange/info');
  const place = { url, exchange: info.exchangeAddress, chainId: info.chainId };
  const people: TestAccount[] = [];
  for (let n = 0; n < accounts; n++) people.push(await (await new TestAccount(place).faucet()).activate());

  const counts = new Map(people.map((account) => [account, 0]));
  let sent = 0;
  const deliver = async (send: (target: TestAccount) => Promise<Reply>, account: TestAccount) => {
    while (!stopped) {
      const target = targets[sent++ % targets.length] as RelayerProcess;
      const there = account.at({ ...place, url: target.url });
      const reply = await Promise.race([send(there).catch(() => undefined), abandoned]);
      if (reply?.status === 200) {
        acknowledged.add(reply.body.hash);
        counts.set(account, (counts.get(account) ?? 0) + 1);
        for (const { isOver, resolve } of waiting) if (isOver()) resolve();
        return;
      }
      if (reply && !RETRYABLE.has(reply.body?.resultInfo?.code)) {
        wrong.push(reply.body);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const lane = async (account: TestAccount, payee: TestAccount) => {
    const validUntil = await account.inSeconds(7_200);
    for (let n = 0; !stopped; n++) {
      const order =
        n % 2 === 0
          ? await account.order([LRC, 10n * ether], [ETH, ether / 500n], { storageId: 2 * n, validUntil })
          : await account.order([ETH, ether / 500n], [LRC, 10n * ether], { storageId: 2 * n, validUntil });
      const transfer = await account.transfer(payee.owner, [LRC, ether / 10n], { storageId: 2 * n + 1, validUntil });
      await Promise.all([
        deliver((there) => there.submit(order), account),
        deliver((there) => there.post('/api/v3/transfer', transfer), account),
      ]);
    }
  };
  const lanes = people.map((account, n) => lane(account, people[(n + 1) % people.length] as TestAccount));
  return {
    acknowledged,
    wrong,
    acknowledgements: (more) => {
      const at = acknowledged.size + more;
      return until(() => acknowledged.size >= at);
    },
    acknowledgementOfEach: () => {
      const before = new Map(counts);
      return until(() => people.every((account) => counts.get(account) !== before.get(account)));
    },
    redirect: direct,
    stop: async () => {
      stopped = true;
      await Promise.all(lanes);
    },
  };
}

/**
 * What is wrong after a load, with every relayer ended: sums that do not agree, acknowledged
 * submissions that are not there, and answers that no trouble of the database explains.
 */
export async function lostOrDoubled(databaseUrl: string, { acknowledged, wrong }: Load): Promise<unknown[]> {
  const db = await openPostgres(databaseUrl);
  const kept = await db.query<{ hash: string }>('SELECT hash FROM orders UNION ALL SELECT hash FROM requests');
  const problems = await auditDatabase(db);
  await db.close();
  const hashes = new Set(kept.map(({ hash }) => hash));
  return [...problems, ...[...acknowledged].filter((hash) => !hashes.has(hash)), ...wrong];
}
