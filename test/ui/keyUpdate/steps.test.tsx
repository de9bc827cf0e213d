// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import type { ActivityItem, ApprovalView, KeyUpdateView } from '../../../src/messaging/views.ts';
import { BackupStep } from '../../../src/ui/keyUpdate/steps/BackupStep.tsx';
import { ConfirmStep } from '../../../src/ui/keyUpdate/steps/ConfirmStep.tsx';
import { KeyStep } from '../../../src/ui/keyUpdate/steps/KeyStep.tsx';
import { ProgressStep } from '../../../src/ui/keyUpdate/steps/ProgressStep.tsx';
import { WhyStep } from '../../../src/ui/keyUpdate/steps/WhyStep.tsx';
import * as f from '../support/fixtures.ts';
import { all, background, draw, emptyPages, enter, find, press, submit, text } from '../support/page.tsx';

const keys = { x: f.orderHash, y: f.digest };
const question = (change: Partial<ApprovalView> = {}) =>
  f.approval({ origin: 'countersign', operation: 'updateAccountKey', review: f.keyReview, ...change });
const keyUpdate = (approval: ApprovalView): KeyUpdateView => ({
  account: f.account,
  network: f.network,
  key: { account: f.account.id, publicKey: keys, kind: 'derived', since: f.now, signatures: 3 },
  approval,
  inUse: true,
  askedFeeTokenId: null,
  newKey: { publicKey: keys, kind: 'random', backedUp: false, keySeed: '', inPlace: false },
});

emptyPages();

const confirm = (approval: ApprovalView) =>
  draw(<ConfirmStep view={keyUpdate(approval)} onDecided={async () => {}} onCancel={() => {}} />, {
    approve: () => question(),
    retryApproval: () => question(),
  });

it('asks for the password again when the request has changed since it was typed', async () => {
  await confirm(question());
  await enter(find('input'), 'copper anvil');
  await confirm(question({ digest: f.orderHash }));
  await submit();
  expect(background.callsOf('approve')).toEqual([]);
  await enter(find('input'), 'copper anvil');
  await submit();
  expect(background.callsOf('approve')).toMatchObject([{ digest: f.orderHash, password: 'copper anvil' }]);
});

it('keeps a password that is typed the moment the form is drawn', async () => {
  const drawn = confirm(question());
  const field = find('input') as HTMLInputElement;
  field.value = 'copper anvil';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await drawn;
  expect((find('input') as HTMLInputElement).value).toBe('copper anvil');
  await submit();
  expect(background.callsOf('approve')).toMatchObject([{ digest: f.digest, password: 'copper anvil' }]);
});

it('says that an old request is prepared again, and waits for it', async () => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  await confirm(question({ reviewedAt: Math.floor(Date.now() / 1000) - 120 }));
  await enter(find('input'), 'copper anvil');
  expect(text()).toContain('More than a minute old: being prepared again');
  expect(find('button[type=submit]')).toHaveProperty('disabled', true);
});

it('unfolds and marks a detail that has changed since it was read', async () => {
  const rows = f.keyReview.rows.map((row, index) => (index === 5 ? { ...row, detail: true as const } : row));
  const row = { row: 5, label: { key: 'review_nonce' }, before: { kind: 'integer' as const, value: 7 } };
  const changes = { sentence: null, rows: [row], newWarnings: [], goneWarnings: [] };
  await confirm(question({ review: { ...f.keyReview, rows }, changes }));
  expect(find('.details details')).toHaveProperty('open', true);
  expect(find('.details .row-changed').textContent).toBe('Before: 7');
});

it('hides the digits of a new key before it asks for the last ones', async () => {
  await draw(<BackupStep view={keyUpdate(question())} onDone={() => {}} onCancel={() => {}} />, {
    exportAccountKey: () => ({ fileName: 'key.json', text: f.digest }),
    confirmBackup: () => keyUpdate(question()),
  });
  await enter(find('input'), 'copper anvil');
  await press(all('.backup-ways button')[1]);
  expect(find('.backup-digits').textContent).toBe(f.digest);
  expect(all('.backup-digits button')).toEqual([]);
  expect(all('input')).toHaveLength(1);
  const button = (name: string) => all('button').find(({ textContent }) => textContent?.trim() === name);
  await press(button('I have written it down'));
  expect(text()).not.toContain(f.digest);
  await enter(all('input')[1], 'abcdef');
  await press(button('Show it again'));
  expect(text()).toContain(f.digest);
  await press(button('I have written it down'));
  await enter(all('input')[1], 'abcdef');
  await press(button('Continue'));
  expect(background.callsOf('confirmBackup')).toEqual([{ approval: 'a1', shown: { lastDigits: 'abcdef' } }]);
});

it('says that the exchange names no fee, and asks it again', async () => {
  const facts = { openOrders: 0, standingApprovals: 0, hasApiKey: true, keyIsRegistered: true, nonce: 1 };
  const fees = [{ token: f.eth, volume: '1000', balance: '5000' }];
  const answers = [[], fees];
  await draw(<KeyStep view={keyUpdate(question())} onBack={() => {}} onMade={async () => {}} />, {
    getKeyUpdateFacts: () => ({ ...facts, fees: answers.shift() ?? [] }),
  });
  const button = (name: string) => all('button').find(({ textContent }) => textContent?.trim() === name);
  expect(button('Make the key')).toHaveProperty('disabled', true);
  expect(find('[role=alert]')?.textContent).toContain('The exchange names no token in which the fee can be paid');
  await press(button('Try again'));
  expect(all('[role=alert]')).toEqual([]);
  expect(button('Make the key')).toHaveProperty('disabled', false);
});

it.each([
  ['a replacement', keys, 'The key was not replaced', 'The old key stays in use'],
  ['a first key', { x: '0x0', y: '0x0' }, 'The key was not registered', 'The account still has no key'],
])('says what is left after %s was refused, and while no answer came', async (_which, publicKey, title, left) => {
  const show = (status: ActivityItem['status']) => {
    const view = keyUpdate(question({ stage: 'done', result: f.activityItem({ status }) }));
    const actions = { onLook: async () => {}, onAgain: () => {}, onClose: () => {} };
    return draw(<ProgressStep view={{ ...view, key: { ...view.key, publicKey } }} {...actions} />, {});
  };
  await show('refused');
  expect(find('h1').textContent).toBe(title);
  expect(text()).toContain(left);
  await show('unknown');
  expect(text()).toContain('It is not known whether the request arrived.');
  // The exchange may have the new one by then.
  expect(text()).not.toContain('old key');
});

it.each([
  ['a replacement', keys, 'You can close this page'],
  ['a first key', { x: '0x0', y: '0x0' }, 'Signed and sent'],
])('says of %s that it is signed and sent only once it is', async (_which, publicKey, sent) => {
  const lead = async (change: Partial<ApprovalView>) => {
    const view = keyUpdate(question({ stage: 'approved', ...change }));
    const actions = { onLook: async () => {}, onAgain: () => {}, onClose: () => {} };
    await draw(<ProgressStep view={{ ...view, key: { ...view.key, publicKey } }} {...actions} />, {});
    return find('.lead').textContent;
  };
  const result = (change: Partial<ActivityItem>) => ({ result: f.activityItem(change) });
  expect(await lead({})).toContain('It is about to be signed and sent.');
  expect(await lead({ asksOtherWallet: true })).toBe('Answer the request in the other wallet.');
  expect(await lead({ asksOtherWallet: true, ...result({ status: 'reserved' }) })).toContain('Answer the request');
  expect(await lead(result({ status: 'acknowledged' }))).toContain(sent);
  const at = { owner: f.account.owner, exchange: f.network.exchangeAddress, chainId: 1, validUntil: 1_900_000_000 };
  const approveHash = { hash: f.orderHash, ...at };
  expect(await lead(result({ status: 'unknown', approveHash }))).toContain('Now the wallet contract has to approve');
  expect(text()).toContain(f.orderHash);
  expect(text()).not.toContain(sent);
});

it.each([keys, { x: '0x0', y: '0x0' }])(
  'says that the exchange has another key when another browser has used the nonce',
  async (publicKey) => {
    const problem = { key: 'problem_endedUntil', values: { until: { kind: 'time', seconds: 1_900_000_000 } } } as const;
    const result = f.activityItem({ status: 'failed', problem });
    const view = keyUpdate(question({ stage: 'done', result }));
    const actions = { onLook: async () => {}, onAgain: () => {}, onClose: () => {} };
    await draw(<ProgressStep view={{ ...view, key: { ...view.key, publicKey } }} {...actions} />, {});
    expect(find('h1').textContent).toBe('The exchange has another key for this account, or none');
    expect(text()).toContain('Nothing that this wallet signs counts any more.');
    expect(text()).not.toMatch(/stays in use|Key in use|still has no key/);
  },
);

it.each([keys, { x: '0x0', y: '0x0' }])(
  'says that nobody has told how it ended, and nothing of a key',
  async (publicKey) => {
    const result = f.activityItem({ status: 'expired', isEndUnknown: true });
    const view = keyUpdate(question({ stage: 'done', result }));
    const actions = { onLook: async () => {}, onAgain: () => {}, onClose: () => {} };
    await draw(<ProgressStep view={{ ...view, key: { ...view.key, publicKey } }} {...actions} />, {});
    expect(find('h1').textContent).toBe('Expired');
    expect(find('.lead').textContent).toContain('before anybody said how it ended');
    expect(text()).not.toMatch(/not replaced|not registered|stays in use|Key in use|still has no key/);
  },
);

it('lists what ends with the old key, and nothing of which there is none', async () => {
  const facts = { hasApiKey: true, keyIsRegistered: true, nonce: 1, fees: [] };
  const ending = async (openOrders: number | null, standingApprovals: number, inUse = true) => {
    const view = { ...keyUpdate(question()), inUse };
    await draw(<div />, {});
    await draw(<WhyStep view={view} onDone={() => {}} onCancel={() => {}} />, {
      getKeyUpdateFacts: () => ({ ...facts, openOrders, standingApprovals }),
    });
    return all('.endings li').map(({ textContent }) => textContent);
  };
  const apiKey = 'The API key; this wallet gets a new one by itself';
  expect(await ending(0, 0)).toEqual([apiKey]);
  expect(await ending(2, 1)).toEqual(['2 open orders', '1 standing approval of a site', apiKey]);
  expect(await ending(null, 0)).toEqual(['All open orders; they could not be counted', apiKey]);
  expect(await ending(0, 0, false)).toEqual([expect.stringContaining('Standing approvals in other wallets'), apiKey]);
});

it.each([
  ['a replacement', keys],
  ['a first key', { x: '0x0', y: '0x0' }],
])('says of %s that is in use nothing of a key before it', async (_which, publicKey) => {
  const view = keyUpdate(question({ stage: 'done', result: f.activityItem({ status: 'processed' }) }));
  const newKey = { ...view.newKey, inPlace: true } as KeyUpdateView['newKey'];
  const actions = { onLook: async () => {}, onAgain: () => {}, onClose: () => {} };
  await draw(<ProgressStep view={{ ...view, newKey, key: { ...view.key, publicKey } }} {...actions} />, {});
  expect(find('h1').textContent).toBe('Your account has a new key');
  expect(find('.lead').textContent).toBe('The exchange accepts no other key now.');
  expect(text()).not.toContain('old key');
});
