import { expect, test } from 'vitest';
import { relayerOfFile } from './relayerOfFile.ts';
import { ORDER, PASSWORD, question, SITE, setUp, until } from './support.ts';

const relayer = await relayerOfFile();

const full = { code: 'storage-full', key: 'error_storageFull' };
const inDatabase = () => new DOMException('The quota has been exceeded.', 'QuotaExceededError');
/** As Chromium says it of `storage.local`. */
const inArea = () => new Error('QUOTA_BYTES quota exceeded');

test('a full disk is told as one, whatever was to be stored', async () => {
  const { wallet, accountView, network } = await setUp(relayer);
  const { ports } = wallet;
  const { local, requestStore, journalStore } = ports;
  const writes = (store: typeof requestStore) => (mode: IDBTransactionMode, work: never) =>
    mode === 'readonly' ? store(mode, work) : Promise.reject(inDatabase());
  void wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
  const { id, digest } = await question(wallet);

  Object.assign(ports, {
    local: { ...local, set: () => Promise.reject(inArea()) },
    requestStore: writes(requestStore),
  });
  wallet.restart();
  const contact = { networkId: network.id, address: `0x${'12'.repeat(20)}`, name: 'Anna' } as const;
  expect(await wallet.uiAnswer('addContact', contact)).toMatchObject({ error: full });
  expect(await wallet.uiAnswer('reject', { id, block: false })).toMatchObject({ error: full });

  Object.assign(ports, { local, requestStore, journalStore: writes(journalStore) });
  wallet.restart();
  await wallet.ui('approve', { id, digest: digest ?? '', account: accountView, password: PASSWORD });
  const ended = await until(async () => (await wallet.ui('getApproval', { id }))?.problem);
  expect(ended).toMatchObject({ key: full.key });
});
