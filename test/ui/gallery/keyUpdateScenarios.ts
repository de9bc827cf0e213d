import type { KeyUpdateView } from '../../../src/messaging/views.ts';
import * as f from '../support/fixtures.ts';
import { type Answers, ok, open, type Scenario } from './scenarios.ts';

const keys = { x: f.orderHash, y: f.digest };
const newKey = { publicKey: keys, kind: 'derived', backedUp: true, keySeed: f.keySeed, inPlace: false } as const;
const pending = f.approval({ origin: 'countersign', operation: 'updateAccountKey', review: f.keyReview });

const facts = { openOrders: 3, standingApprovals: 1, hasApiKey: true, keyIsRegistered: true, nonce: 1 };
const fees = [
  { token: f.eth, volume: '1200000000000000', balance: '2503150000000000000' },
  { token: f.usdt, volume: '3100000', balance: '0' },
];

/** The wizard's answers, at the place that `change` says. */
const at = (change: Partial<KeyUpdateView>, more: Answers = {}): Answers => ({
  ...open,
  getKeyUpdate: ok({
    account: f.account,
    network: f.network,
    key: {
      account: f.account.id,
      publicKey: f.account.publicKey,
      kind: 'derived',
      since: f.now - 400 * 86_400_000,
      signatures: 1284,
    },
    approval: null,
    inUse: true,
    askedFeeTokenId: null,
    newKey: null,
    ...change,
  }),
  getKeyUpdateFacts: ok({ ...facts, fees }),
  exportAccountKey: ok({ fileName: 'key.json', text: f.digest }),
  ...more,
});

export const keyUpdateScenarios: readonly Scenario[] = [
  {
    name: 'key-update-why',
    page: 'keyUpdate',
    answers: at({
      approval: f.approval({ stage: 'choosing', operation: 'updateAccountKey', review: null, digest: null }),
    }),
    steps: [{ click: '.choice-line:nth-of-type(2)' }],
  },
  {
    name: 'key-update-key',
    page: 'keyUpdate',
    answers: at({}),
    steps: [{ click: '.step-buttons .button-primary' }],
    forced: true,
  },
  {
    name: 'key-update-no-fee',
    page: 'keyUpdate',
    answers: at({}, { getKeyUpdateFacts: ok({ ...facts, fees: [] }) }),
    steps: [{ click: '.step-buttons .button-primary' }],
  },
  {
    name: 'key-update-backup',
    page: 'keyUpdate',
    answers: at({ approval: pending, newKey: { ...newKey, kind: 'random', backedUp: false, keySeed: '' } }),
    steps: [{ fill: 'input', text: 'copper anvil 7 lanterns' }, { click: '.backup-ways .button:last-child' }],
  },
  {
    name: 'key-update-backup-file',
    page: 'keyUpdate',
    answers: at({ approval: pending, newKey: { ...newKey, kind: 'random', backedUp: false, keySeed: '' } }),
    steps: [
      { fill: 'input', text: 'copper anvil 7 lanterns' },
      { click: '.backup-ways .button:first-child' },
      { scroll: '.file-box' },
    ],
  },
  { name: 'key-update-confirm', page: 'keyUpdate', answers: at({ approval: pending, newKey }) },
  {
    name: 'key-update-under-way',
    page: 'keyUpdate',
    answers: at({
      approval: { ...pending, stage: 'done', result: f.activityItem({ operation: 'updateAccountKey' }) },
      newKey,
    }),
  },
  {
    name: 'key-update-refused',
    page: 'keyUpdate',
    answers: at({
      approval: {
        ...pending,
        stage: 'done',
        result: f.activityItem({ status: 'refused', problem: f.activity[3]?.problem ?? null }),
      },
      newKey,
    }),
  },
  { name: 'key-update-locked', page: 'keyUpdate', answers: at({}, { getState: ok(f.lockedWallet) }) },
];
