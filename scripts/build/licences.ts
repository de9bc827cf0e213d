import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { root } from '../prepare.mjs';

/**
 * Writes `LICENSE`, and as `THIRD-PARTY.txt` the licences of everything that is inside, because
 * they ask to be kept with every copy. Of several builds of one artefact, the last one has them
 * all.
 */
export function licences(): Plugin {
  const folders = new Set<string>();
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle))
        for (const id of output.type === 'chunk' ? output.moduleIds : []) {
          const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? [];
          if (folder !== undefined) folders.add(folder);
        }
      const texts = [...folders].sort().map((path) => {
        const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
        const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
        const text = file
          ? readFileSync(join(path, file), 'utf8').trim()
          : `Licence, as its package.json says: ${license}`;
        return `${name} ${version}\n\n${text}\n`;
      });
      this.emitFile({ type: 'asset', fileName: 'LICENSE', source: readFileSync(join(root, 'LICENSE')) });
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY.txt', source: texts.join(`\n${'-'.repeat(80)}\n\n`) });
    },
  };
}
