import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';

/**
 * The least that an extension of this kind can be: a worker that answers, a content script that
 * passes a page's question on, a popup with a stored number, a window with a button.
 */
const files = {
  'manifest.json': JSON.stringify({
    manifest_version: 3,
    name: 'minimal',
    version: '1',
    background: { service_worker: 'worker.js', type: 'module' },
    action: { default_popup: 'popup.html' },
    permissions: ['storage'],
    content_scripts: [{ matches: ['http://localhost/*'], js: ['content.js'], run_at: 'document_start' }],
    content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'" },
  }),
  'content.js': `addEventListener('minimal-ask', () => chrome.runtime.sendMessage({ type: 'ask' }));`,
  'popup.html': '<!doctype html><meta charset="utf-8"><body><p id="total"></p><script src="popup.js"></script>',
  'popup.js': `chrome.storage.local.get('total').then(({ total = '2.5 ETH' }) => { document.querySelector('#total').textContent = total; });`,
  'approval.html': '<!doctype html><meta charset="utf-8"><body><p></p><script src="approval.js"></script>',
  'approval.js': `chrome.runtime.sendMessage({ type: 'what' }).then((text) => {
    document.querySelector('p').textContent = text;
    const button = document.createElement('button');
    button.dataset.testid = 'approve';
    button.textContent = 'Approve';
    document.body.append(button);
  });`,
} as const;

/** Writes the extension into `folder`. */
export async function writeMinimalExtension(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await build({
    configFile: false,
    logLevel: 'error',
    root: resolve(import.meta.dirname, '../../../..'),
    build: {
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      lib: { entry: join(import.meta.dirname, 'minimalWorker.ts'), formats: ['es'], fileName: () => 'worker.js' },
    },
  });
}
