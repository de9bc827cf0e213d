import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entries } from 'idb-keyval';
import { exchangeId } from '../../src/background/settings/exchangeId.ts';
import {
  approveOrder,
  approveRequest,
  PASSWORD,
  resultOf,
  SITE,
  seal,
  setUp,
  startRelayer,
  until,
} from '../background/support.ts';

/**
 * Keeps what the wallet stores as it writes it now: `npx tsx test/storage/keepProfile.ts NAME`
 * writes `profiles/NAME.json`, to be formatted with Biome. Run it with the last commit that has the
 * form which is to be changed. Keys and addresses are those of a throw-away account.
 */
const relayer = await startRelayer();
try {
  const { wallet, network, accountView } = await setUp(relayer);
  const account = { account: accountView };
  const { hash } = resultOf(await approveOrder(wallet));
  await approveRequest(wallet, 'relayer_cancelOrder', { orderHash: hash });
  // More than the account has: the relayer refuses it, and the signature stays valid.
  await approveOrder(wallet, { sellToken: { tokenId: 1, volume: `1${'0'.repeat(24)}` } });
  await approveRequest(wallet, 'relayer_requestStandingApproval', {
    sellTokenId: 1,
    buyTokenId: 0,
    minPrice: '0.0004',
    orderVolume: '1000',
    totalVolume: '1000',
    rate: { requests: 5, seconds: 60 },
    validUntil: Math.floor(Date.now() / 1000) + 3_600,
  });
  await wallet.ui('addContact', { networkId: network.id, address: `0x${'a'.repeat(40)}`, name: 'Friend' });
  // Waits for the user: it is stored as pending.
  void wallet.page(SITE, 'relayer_submitOrder', [
    {
      sellToken: { tokenId: 1, volume: '100000000000000000000' },
      buyToken: { tokenId: 0, volume: '50000000000000000' },
      tradeChannel: 'ORDER_BOOK',
      idempotencyKey: 'mine',
    },
  ]);
  await until(async () => (await wallet.ui('listApprovals', {})).length > 0);
  await seal(relayer);
  for (const read of ['getHistory', 'getOrders', 'getNfts', 'getPools', 'getPrices'] as const)
    await wallet.ui(read, { ...account, refresh: true });
  await wallet.ui('getAttention', { refresh: true });
  await until(async () => {
    await wallet.ui('getHome', { refresh: true });
    return [`block-roots:${exchangeId(network)}`, `proofs:${accountView}`].every((key) => key in wallet.kept().local);
  });
  const { local, copy } = wallet.kept();
  const { ports } = wallet;
  const profile = {
    at: ports.now(),
    password: PASSWORD,
    local,
    copy,
    vault: await entries(ports.vaultStore),
    journal: await entries(ports.journalStore),
    requests: await entries(ports.requestStore),
  };
  await writeFile(
    join(import.meta.dirname, `profiles/${process.argv[2]}.json`),
    `${JSON.stringify(profile, null, 2)}\n`,
  );
  wallet.stop();
} finally {
  await relayer.close();
}
process.exit(0);
