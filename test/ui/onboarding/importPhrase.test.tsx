// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { ImportPhrase } from '../../../src/ui/onboarding/steps/ImportPhrase.tsx';
import * as f from '../support/fixtures.ts';
import { draw, emptyPages, enter, find, settled, submit, text } from '../support/page.tsx';

emptyPages();

it('shows no account of words that were changed while it looked', async () => {
  let answer = () => {};
  await draw(<ImportPhrase network={f.network} onDone={() => {}} onBack={() => {}} />, {
    listPhraseAccounts: async () => {
      await new Promise<void>((done) => {
        answer = done;
      });
      return [{ index: 0, address: f.account.owner, status: 'absent' as const, accountId: null }];
    },
  });
  const words = Array(12).fill('test').join(' ');
  await enter(find('input'), words);
  await submit();
  await enter(find('input'), `${words} test test test`);
  answer();
  await settled();
  expect(text()).not.toContain('Use this account');
});
