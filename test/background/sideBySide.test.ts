import { expect, test } from 'vitest';
import { prepareWaiting } from '../../src/background/approvals/prepareApproval.ts';
import { compareEach } from '../../src/background/attention/checks.ts';
import { carryOutApproved } from '../../src/background/lifecycle/resume.ts';
import { sideBySide } from '../../src/background/relayers/sideBySide.ts';
import { until } from './support.ts';

const never = () => new Promise<never>(() => {});

test('groups go on side by side, each in its order and within its number', async () => {
  const done: string[] = [];
  const work = async (one: string) => {
    if (one === 'a2') return never();
    await Promise.resolve();
    done.push(one);
  };
  void sideBySide(['a1', 'b1', 'a2', 'a3', 'b2', 'b3'], (one) => one[0] ?? '', work, 2);
  await until(async () => done.length === 3);
  expect(done.filter((one) => one.startsWith('b'))).toEqual(['b1', 'b2']);
  expect(done).toContain('a1');
});

/** Approvals at two networks, of which the first never answers. */
const approvals = (stage: string) =>
  ({
    unsettled: async () =>
      ['slow:1', 'slow:2', 'quick:1', 'quick:2'].map((account) => ({ id: account, account, stage })),
  }) as never;

test('a request at an exchange that never answers holds up no request at another one', async () => {
  const done: string[] = [];
  const answer = async (id: string) => (id.startsWith('slow') ? never() : void done.push(id));
  void prepareWaiting({
    approvals: approvals('waiting'),
    leftPages: { endIf: async () => false } as never,
    prepare: answer,
  });
  await until(async () => done.length === 2);
  void carryOutApproved({ approvals: approvals('approved'), carryOut: answer });
  await until(async () => done.length === 4);
  expect(done).toEqual(['quick:1', 'quick:2', 'quick:1', 'quick:2']);
});

test('an exchange that never answers holds up the comparison of no other, and our pages are told', async () => {
  const done: string[] = [];
  let told = 0;
  const config = { read: async () => ({ networks: [{ id: 'slow' }, { id: 'quick' }] }) } as never;
  const ports = {
    toUi: () => {
      told += 1;
    },
  };
  const compare = compareEach({ config, ports }, async (id) => (id === 'slow' ? never() : void done.push(id)));
  void compare();
  await until(async () => told === 1);
  void compare();
  await until(async () => told === 2);
  expect(done).toEqual(['quick', 'quick']);
});
