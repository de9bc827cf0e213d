// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { CopyButton } from '../../../src/ui/shared/CopyButton.tsx';
import { draw, emptyPages, find, press } from '../support/page.tsx';

emptyPages();

it('shows everyone that a copy failed, until the next one', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('not allowed'));
  await draw(<CopyButton text="0x1" what="address" />, {});
  await press(find('button'));
  const said = find('[role=status]');
  expect(said.textContent).toBe('The browser did not allow copying');
  expect(said.className).not.toContain('visually-hidden');
  write.mockResolvedValueOnce();
  await press(find('button'));
  expect([said.textContent, said.className]).toEqual(['Copied', 'visually-hidden']);
});
