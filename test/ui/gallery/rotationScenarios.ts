import type { RotationView } from '../../../src/messaging/views.ts';
import * as f from '../support/fixtures.ts';
import { type Answers, ok, open, type Scenario } from './scenarios.ts';

const keys = { x: f.orderHash, y: f.digest };
const newKey = { publicKey: keys, kind: 'derived', backedUp: true, keySeed: f.keySeed, inPlace: false } as const;
const question = f.approval({ origin: 'countersign', operation: 'updateAccountKey', review: f.keyReview });

/** The wizard's answers, at the place that `change` says. */
const at = (change: Partial<RotationView>, more: Answers = {}): Answers => ({
  ...open,
  getRotation: ok({
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
  getRotationFacts: ok({
    openOrders: 3,
    standingApprovals: 1,
    hasApiKey: true,
    keyIsRegistered: true,
    nonce: 1,
    fees: [
      { token: f.eth, volume: '1200000000000000', balance: '2503150000000000000' },
      { token: f.usdt, volume: '3100000', balance: '0' },
    ],
  }),
  exportAccountKey: ok({ fileName: 'key.json', text: f.digest }),
  ...more,
});

export const rotationScenarios: readonly Scenario[] = [
  {
    name: 'rotation-why',
    page: 'rotation',
    answers: at({
      approval: f.approval({ stage: 'choosing', operation: 'updateAccountKey', review: null, digest: null }),
    }),
    steps: [{ click: '.choice-line:nth-of-type(2)' }],
  },
  {
    name: 'rotation-key',
    page: 'rotation',
    answers: at({}),
    steps: [{ click: '.step-buttons .button-primary' }],
    forced: true,
  },
  {
    name: 'rotation-backup',
    page: 'rotation',
    answers: at({ approval: question, newKey: { ...newKey, kind: 'random', backedUp: false, keySeed: '' } }),
    steps: [{ fill: 'input', text: 'copper anvil 7 lanterns' }, { click: '.backup-ways .button:last-child' }],
  },
  {
    name: 'rotation-backup-file',
    page: 'rotation',
    answers: at({ approval: question, newKey: { ...newKey, kind: 'random', backedUp: false, keySeed: '' } }),
    steps: [
      { fill: 'input', text: 'copper anvil 7 lanterns' },
      { click: '.backup-ways .button:first-child' },
      { scroll: '.file-box' },
    ],
  },
  { name: 'rotation-confirm', page: 'rotation', answers: at({ approval: question, newKey }) },
  {
    name: 'rotation-under-way',
    page: 'rotation',
    answers: at({
      approval: { ...question, stage: 'done', result: f.activityItem({ operation: 'updateAccountKey' }) },
      newKey,
    }),
  },
  {
    name: 'rotation-refused',
    page: 'rotation',
    answers: at({
      approval: {
        ...question,
        stage: 'done',
        result: f.activityItem({ status: 'refused', problem: f.activity[3]?.problem ?? null }),
      },
      newKey,
    }),
  },
  { name: 'rotation-locked', page: 'rotation', answers: at({}, { getState: ok(f.lockedWallet) }) },
];
