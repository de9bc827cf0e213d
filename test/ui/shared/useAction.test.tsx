// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { UiCallError } from '../../../src/ui/background.ts';
import { type Action, useAction } from '../../../src/ui/shared/useAction.ts';
import { background, draw, emptyPages, settled, text } from '../support/page.tsx';

emptyPages();

it('forgets its failure when something is typed, and stays busy while it is at work', async () => {
  const end: ((error: Error) => void)[] = [];
  let action: Action<[]> | undefined;
  function Work() {
    action = useAction(() => new Promise<void>((_, reject) => end.push(reject)));
    return <p>{`${action.busy} ${action.error}`}</p>;
  }
  await draw(<Work />, {});
  action?.run();
  action?.clear();
  await settled();
  expect(text()).toBe('true null');
  end[0]?.(new Error('wrong'));
  await settled();
  expect(text()).toBe('false Error: wrong');
  action?.clear();
  await settled();
  expect(text()).toBe('false null');
});

it('leaves a trace of an error without a text of its own', async () => {
  const errors = [new RangeError('out of range'), new UiCallError('passkey', 'passkeyCancelled')];
  let action: Action<[]> | undefined;
  function Work() {
    action = useAction(() => Promise.reject(errors.shift()));
    return null;
  }
  await draw(<Work />, {});
  for (let time = 0; time < 2; time++) {
    action?.run();
    await settled();
  }
  expect(background.callsOf('addFailure')).toMatchObject([{ where: 'action', name: 'RangeError' }]);
});
