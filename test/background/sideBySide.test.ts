import { expect, test } from 'vitest';
import { resumeApprovals } from '../../src/background/approvals/prepareApproval.ts';
import { compareEach } from '../../src/background/attention/checks.ts';
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

test('a request at an exchange that never answers holds up no request at another one, and what was approved goes first', async () => {
  const stored = ['slow:1', 'slow:2', 'quick:1', 'quick:2', 'quick:3'].map((account) => ({
    id: account,
    account,
    stage: account === 'quick:3' || account.startsWith('slow') ? 'approved' : 'waiting',
  }));
  const done: string[] = [];
  void resumeApprovals({
    approvals: {
      unsettled: async () => [...stored],
      get: async (id: string) => stored.find((one) => one.id === id),
    } as never,
    leftPages: { endIf: async (id: string) => id === 'quick:2' } as never,
    prepare: async (id) => {
      done.push(`prepare ${id}`);
      // By a standing approval.
      for (const one of stored) if (one.id === id) one.stage = 'approved';
    },
    carryOut: async (id) => (id.startsWith('slow') ? never() : void done.push(`carry out ${id}`)),
  });
  await until(async () => done.length === 3);
  expect(done).toEqual(['carry out quick:3', 'prepare quick:1', 'carry out quick:1']);
});

test('what was approved too long ago is prepared again, and carried out when a standing approval answers it now', async () => {
  const approval = { id: 'quick:1', account: 'quick:1', stage: 'approved' };
  const done: string[] = [];
  await resumeApprovals({
    approvals: { unsettled: async () => [{ ...approval }], get: async () => approval } as never,
    leftPages: { endIf: async () => false } as never,
    prepare: async () => {
      done.push('prepare');
      approval.stage = 'approved';
    },
    carryOut: async () => {
      done.push('carry out');
      approval.stage = done.includes('prepare') ? 'done' : 'waiting';
    },
  });
  expect(done).toEqual(['carry out', 'prepare', 'carry out']);
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
