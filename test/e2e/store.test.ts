import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, run } from '../../scripts/prepare.mjs';
import { SHOT, scenes, TILE } from '../../scripts/store/scenes.ts';

const folder = join(root, 'out/store');

test('npm run store draws the pictures of the listings in the sizes that the stores ask for', async () => {
  const { code, output } = await run('npm', ['run', '--silent', 'store'], { show: false });
  expect(output).toContain('out/store/tile.png');
  expect(code).toBe(0);
  const drawn = readdirSync(folder)
    .sort()
    .map((file) => {
      const png = readFileSync(join(folder, file));
      // Chromium writes an opaque page without an alpha channel, which the stores refuse.
      return { file, width: png.readUInt32BE(16), height: png.readUInt32BE(20), colours: png[25] };
    });
  expect(drawn).toEqual([
    ...scenes.map(({ name }) => ({ file: `${name}.png`, ...SHOT, colours: 2 })),
    { file: 'tile.png', ...TILE, colours: 2 },
  ]);
});
