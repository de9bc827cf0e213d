import { setTimeout as sleep } from 'node:timers/promises';
import { lostOrDoubled, startLoad } from '../relayer/support/load.ts';
import { exited, startProcess } from '../relayer/support/relayerProcess.ts';
import { PATRONI, startPatroni } from './support/patroni.ts';
import type { BenchRun } from './support/report.ts';
import { fewer } from './support/short.ts';

/**
 * Two relayers on three PostgreSQL servers that Patroni leads, under load. The server that takes
 * writes loses its power, with its Patroni, time and again: from then to the first submission that
 * is acknowledged again.
 */
const SERVERS = 3;
const ROUNDS = fewer(5);
/** The leader's lease ends, the next leader is found in two looks, and PostgreSQL is promoted. */
const BOUND_S = PATRONI.ttl + 2 * PATRONI.loop_wait + 6;
/** What was answered before the end may still be on its way. */
const IN_PROGRESS_MS = 500;

export const run: BenchRun = async (say) => {
  const cluster = await startPatroni(SERVERS, say);
  try {
    await cluster.whole();
    const relayers = [
      await startProcess({ DATABASE_URL: cluster.url }),
      await startProcess({ DATABASE_URL: cluster.url }),
    ];
    const load = await startLoad(relayers);
    await load.acknowledgements(40);
    const seconds: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      await cluster.whole();
      const victim = await cluster.leader();
      const killed = performance.now();
      await cluster.kill(victim);
      await sleep(IN_PROGRESS_MS);
      await load.acknowledgements(1);
      const took = (performance.now() - killed) / 1000;
      seconds.push(took);
      for (const relayer of relayers) {
        load.redirect([relayer]);
        await load.acknowledgements(20);
      }
      load.redirect(relayers);
      say(
        `round ${round}: server ${victim + 1} was killed, server ${(await cluster.leader()) + 1} serves after ${took.toFixed(1)} s`,
      );
      cluster.start(victim);
    }
    await load.stop();
    for (const { process } of relayers) process.kill('SIGKILL');
    await Promise.all(relayers.map(({ process }) => exited(process)));
    const problems = await lostOrDoubled(cluster.url, load);
    if (problems.length > 0) throw new Error(`lost or doubled: ${JSON.stringify(problems.slice(0, 5))}`);
    const worst = Math.max(...seconds);
    return {
      rows: [
        {
          what: 'from the loss of the primary to the next acknowledgement, worst',
          ours: worst,
          unit: 's',
          bound: ['≤', BOUND_S],
        },
        {
          what: 'the same, median',
          ours: seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)] as number,
          unit: 's',
        },
        {
          what: 'acknowledged submissions that were lost or doubled',
          ours: 0,
          unit: `of ${load.acknowledged.size}`,
        },
      ],
      notes: [
        `Patroni with ttl ${PATRONI.ttl} s, loop_wait ${PATRONI.loop_wait} s, retry_timeout ${PATRONI.retry_timeout} s, synchronous_mode_strict; ${SERVERS} servers and one etcd on this machine.`,
      ],
    };
  } finally {
    await cluster.drop();
  }
};
