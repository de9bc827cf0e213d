import type { SubmissionRecord } from '../../src/journal/index.ts';
import { createRelayer, type RunningRelayer } from '../../src/relayer/createRelayer.ts';
import type { Browser, Profile } from './browser.ts';
import { check, type Finish, type Problem } from './checks.ts';
import { installSurroundings, type Surroundings, WorkerGone } from './life.ts';
import { createUser, deliver, newRequest, openTab, PASSWORD, type PageRequest } from './people.ts';
import {
  type Fault,
  falseRefusals,
  formatFault,
  HEAL_AFTER_ROUNDS,
  isEnd,
  Plan,
  parseFault,
  throwerOf,
} from './plan.ts';
import type { Progress, Scenario } from './scenario.ts';
import { scenarioNamed } from './scenarios.ts';
import { createProfiles, SITE, type Stage, setStage } from './stage.ts';

/** Rounds of people's patience in all. */
const MAX_ROUNDS = 60;
const QUIET_MS = 4;
/** Alarms that ring at the end for what was refused. */
const REFUSAL_LOOKS = 3;
/**
 * Longest wait for the background to reach its next point, in ms of the wall; a busy machine is
 * slow at each of them.
 */
const STANDSTILL_MS = 60_000;
/** Points after which work goes in a circle; a schedule has some hundreds. */
const MAX_POINTS = 60_000;

export interface Schedule {
  readonly scenario: Scenario;
  readonly faults: readonly Fault[];
  /** Rounds in all before it counts as stuck. */
  readonly rounds?: number;
  /** Makes something false before anything is checked. @returns What else is to be checked. */
  readonly spoil?: (finish: Finish) => Promise<Partial<Finish> | undefined>;
}

export const formatSchedule = ({ scenario, faults }: Pick<Schedule, 'scenario' | 'faults'>) =>
  `${scenario.name}/${faults.map(formatFault).join('+') || 'peace'}`;

export function parseSchedule(name: string): Schedule {
  const slash = name.indexOf('/');
  const faults = name.slice(slash + 1);
  return {
    scenario: scenarioNamed(name.slice(0, slash)),
    faults: faults === 'peace' ? [] : faults.split('+').map(parseFault),
  };
}

/** One relayer for all schedules of a run, and the clocks and the console of the process. */
export interface Laboratory {
  readonly relayer: RunningRelayer;
  readonly profile: () => Promise<Profile>;
  readonly surroundings: Surroundings;
  close(): Promise<void>;
}

export async function openLaboratory(): Promise<Laboratory> {
  const relayer = await createRelayer({
    dev: true,
    port: 0,
    logLevel: 'silent',
    requestsPerSecond: 1_000_000,
    deployAfterMs: 50,
    // A block is sealed by the time of the relayer, which no jump of a wallet's clock moves.
    blockAgeMs: 20,
    // What is accepted wakes the engine, and the harness runs it when time passes: rounds by timer
    // would find nothing to do.
    engineIntervalMs: 60_000,
  });
  const surroundings = installSurroundings();
  return {
    relayer,
    surroundings,
    profile: createProfiles(relayer),
    async close() {
      surroundings.restore();
      await relayer.close();
    },
  };
}

/** Schedules that run at once; each has an account and browsers of its own, and mostly waits. */
const AT_ONCE = 8;

/**
 * Runs schedules, several at once. `done` hears of each; a schedule that breaks the harness is a
 * failure too.
 */
export async function runAll(
  laboratory: Laboratory,
  schedules: Iterator<Schedule>,
  done: (report: Report) => void,
): Promise<void> {
  const runner = async () => {
    for (let next = schedules.next(); !next.done; next = schedules.next()) {
      const name = formatSchedule(next.value);
      done(
        await runSchedule(laboratory, next.value).catch((error: unknown): Report => {
          const what = `the harness: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
          return { name, problems: [{ check: 'nothing fails unseen', what }], trace: [], happened: [], lives: 0 };
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
}

export interface Report {
  readonly name: string;
  readonly problems: readonly Problem[];
  /** Points that were reached, in order. */
  readonly trace: readonly string[];
  readonly happened: readonly string[];
  readonly lives: number;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @returns False when it does not come to rest. */
async function quiet({ browsers, requests }: Stage, { trace }: Plan): Promise<boolean> {
  let reached = trace.length;
  let since = Date.now();
  for (let calm = 0; calm < 3; ) {
    if (trace.length > reached) {
      reached = trace.length;
      since = Date.now();
    }
    if (Date.now() - since > STANDSTILL_MS || reached > MAX_POINTS) return false;
    await pause(QUIET_MS);
    const busy = browsers.some((browser) => browser.isBusy()) || requests.some(({ inFlight }) => inFlight);
    calm = busy ? 0 : calm + 1;
  }
  return true;
}

/**
 * An earlier send has no answer, its repeat is refused, and the relayer does not have it: unknown
 * until it has expired by both clocks, and the relayer's does not move.
 */
const isUnknownForLong = ({ state, sends = 0, error, hash }: SubmissionRecord, happened: readonly string[]) =>
  state === 'sent' &&
  sends > 1 &&
  error?.outcome === 'refused' &&
  !happened.some((other) => BigInt(other) === BigInt(hash ?? 0));

async function openSubmissions(stage: Stage, scenario: Scenario): Promise<string[]> {
  const open: SubmissionRecord[] = [];
  for (const browser of stage.browsers)
    for (const [key, value] of await browser.dump('journal')) {
      if ((key as unknown as unknown[])[0] !== 'submission') continue;
      const record = value as SubmissionRecord;
      const { state, operation } = record;
      const resting = state === 'acknowledged' && (scenario.mayStayOpen || operation !== scenario.operation);
      if (['reserved', 'signed', 'sent', 'acknowledged'].includes(state) && !resting) open.push(record);
    }
  const happened = open.some(({ state }) => state === 'sent') ? await scenario.atRelayer(stage) : [];
  return open.filter((record) => !isUnknownForLong(record, happened)).map(({ state }) => state);
}

const hasRefused = async ({ browsers }: Stage): Promise<boolean> =>
  (await Promise.all(browsers.map((browser) => browser.dump('journal'))))
    .flat()
    .some(([key]) => (key as unknown as unknown[])[0] === 'watch');

/**
 * Moves on to the alarm, which finds the worker stopped unless a page kept it busy. A wallet that
 * has set none is opened by its user, as on the next day.
 */
async function letTimePass(browser: Browser, requests: readonly PageRequest[]): Promise<void> {
  if (requests.every((request) => request.browser !== browser || request.answers.length > 0)) browser.endWorker();
  const alarm = browser.alarm();
  if (alarm !== undefined) {
    browser.clock.ahead += Math.max(0, alarm - browser.now());
    browser.jumps.push(browser.plan.trace.length);
    await browser.wake();
    return;
  }
  try {
    const state = await browser.uiAnswer('getState', {});
    if (state.ok && state.result.vault === 'locked') await browser.uiAnswer('unlock', { password: PASSWORD });
  } catch (error) {
    if (!(error instanceof WorkerGone)) throw error;
  }
}

/** Runs one schedule from a fresh account to rest, and checks what it left behind. */
async function runSchedule(
  { relayer, surroundings, profile }: Laboratory,
  { scenario, faults, rounds = MAX_ROUNDS, spoil }: Schedule,
): Promise<Report> {
  const name = formatSchedule({ scenario, faults });
  const said = { console: surroundings.console.length, unhandled: surroundings.unhandled.length };
  const plan = new Plan(faults);
  const stage = await setStage(relayer, await profile(), plan, scenario);
  await scenario.before?.(stage);
  await quiet(stage, plan);
  for (const browser of stage.browsers) browser.endWorker();
  plan.start();

  for (const ask of scenario.ask(stage)) {
    const browser = stage.browsers[ask.browser ?? 0];
    if (!browser) throw new Error(`${scenario.name} has no browser ${ask.browser}`);
    const tab = browser.tabs.get(ask.tab ?? 1) ?? openTab(browser, ask.tab ?? 1, SITE, stage.requests);
    const request = newRequest(browser, tab, ask);
    stage.requests.push(request);
  }
  const isCareful = faults.some(({ kind }) => kind in falseRefusals);
  const users = stage.browsers.map((browser) => createUser(browser, scenario.steps, isCareful));
  const unfinished: string[] = [];
  const isDone = async () => {
    if (stage.requests.some(({ answers }) => answers.length === 0)) return false;
    for (const user of users)
      if ((await user.storedApprovals()).some(({ stage: at }) => !['done', 'closed'].includes(at))) return false;
    return (await openSubmissions(stage, scenario)).length === 0;
  };

  const ownStep = async (browser: Browser): Promise<Progress> => {
    try {
      return (await scenario.person?.(stage, browser)) ?? 'done';
    } catch (error) {
      if (error instanceof WorkerGone) return 'acted';
      throw error;
    }
  };

  let strays = false;
  for (let round = 0; ; round++) {
    for (const request of stage.requests) if (request.answers.length === 0) void deliver(request);
    if (!(await quiet(stage, plan))) unfinished.push('the background does not come to rest');
    const acted = await Promise.all(users.map((user) => user.act()));
    const own = await Promise.all(stage.browsers.map(ownStep));
    await quiet(stage, plan);
    if (own.every((progress) => progress === 'done') && (await isDone())) {
      if (strays) break;
      // What was given up on its way arrives last; it must not change anything.
      strays = true;
      for (const browser of stage.browsers) await browser.network.letStrayArrive();
      continue;
    }
    if (round >= HEAL_AFTER_ROUNDS) plan.heal();
    if (round >= rounds || unfinished.length > 0) {
      const asked = (await Promise.all(users.map((user) => user.storedApprovals()))).flat();
      const unanswered = stage.requests.filter(({ answers }) => answers.length === 0).length;
      unfinished.push(
        `open at the end: submissions ${await openSubmissions(stage, scenario)}; approvals ${asked.map(({ stage: at }) => at)}; ${unanswered} pages without an answer`,
      );
      break;
    }
    if (acted.some(Boolean) || own.includes('acted')) continue;
    // Nobody has anything to do: the relayer goes on, and the alarms ring.
    await relayer.engine.run();
    for (const browser of stage.browsers) await letTimePass(browser, stage.requests);
  }
  plan.heal();
  // What was refused is looked up until it expires; one that the relayer has is found.
  for (let look = 0; look < REFUSAL_LOOKS && (await hasRefused(stage)); look++)
    for (const browser of stage.browsers) {
      await letTimePass(browser, stage.requests);
      await quiet(stage, plan);
    }
  const onlyKills = faults.every(({ kind }) => isEnd(kind));
  const finish: Finish = {
    stage,
    scenario,
    users,
    onlyKills,
    unfinished,
    console: surroundings.console.slice(said.console),
    // Schedules run side by side: what a fault of another one threw is that one's failure.
    unhandled: surroundings.unhandled
      .slice(said.unhandled)
      .filter(({ error }) => (throwerOf(error) ?? plan) === plan)
      .map(({ text }) => text),
  };
  const problems = await check({ ...finish, ...(await spoil?.(finish)) });
  for (const browser of stage.browsers) browser.endWorker();
  return {
    name,
    problems,
    trace: plan.trace,
    happened: plan.happened,
    lives: stage.browsers.reduce((sum, browser) => sum + browser.lives(), 0),
  };
}
