import { hexToBytes } from '@noble/hashes/utils.js';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type DemoAccount, openAccount } from '../../scripts/demo/openAccount.ts';
import type { RelayerClient } from '../../src/client/index.ts';
import { keySeedText, secretKeyFromSignature } from '../../src/protocol/index.ts';
import type { RunningRelayer } from '../../src/relayer/createRelayer.ts';
import { dev } from '../support/dev.ts';
import { patientClient } from '../support/patientClient.ts';
import { type Browser, createBrowser, type Profile } from './browser.ts';
import { PASSWORD, type PageRequest } from './people.ts';
import { Plan } from './plan.ts';
import type { Scenario } from './scenario.ts';
import { type Secret, secretBytes, secretText } from './secrets.ts';
import { within } from './within.ts';

export const SITE = 'https://site.example';

/**
 * All that a schedule plays with: an account of its own at the shared relayer, and browsers that
 * hold its keys.
 */
export interface Stage {
  readonly relayer: RunningRelayer;
  readonly client: RelayerClient;
  readonly account: DemoAccount;
  readonly browsers: readonly Browser[];
  readonly requests: PageRequest[];
  readonly secrets: readonly Secret[];
  /**
   * What `before` of the scenario left for later; `madeBefore` is the hash of a request of the very
   * operation that is asked for.
   */
  readonly memory: Record<string, string>;
}

/**
 * An account with funds and without a key; the wallet is to derive the first one, whose bytes are
 * known here.
 */
async function openUnregistered(
  client: RelayerClient,
  { url, engine }: RunningRelayer,
  privateKey: Hex,
): Promise<DemoAccount> {
  const signer = privateKeyToAccount(privateKey);
  const owner = signer.address;
  const tokens = [
    { symbol: 'ETH', amount: '10000000000000000000' },
    { symbol: 'LRC', amount: '100000000000000000000000' },
  ];
  await dev({ url }, 'faucet', { owner, tokens });
  await engine.run();
  const { accountId } = await client.getAccount({ query: { owner } });
  const { exchangeAddress } = await client.getExchangeInfo({});
  const seed = await signer.signMessage({ message: keySeedText(exchangeAddress, 0) });
  const secretKey = secretKeyFromSignature(hexToBytes(seed.slice(2)));
  return { privateKey, owner, accountId, exchange: exchangeAddress as Hex, secretKey, apiKey: '', isNew: true };
}

/**
 * A profile may be used this long, in ms: its wallet is unlocked, and the lock must not come due in
 * the middle of a schedule.
 */
const PROFILE_AGE = 60_000;

/** Longest time to make one, in ms; a loaded machine takes seconds. */
const PROFILE_WITHIN = 120_000;

/**
 * A wallet with the network and no account. Made once for many schedules, because its password
 * costs more than all else.
 */
export function createProfiles(relayer: RunningRelayer): () => Promise<Profile> {
  let made: Promise<Profile> | undefined;
  let until = 0;
  return () => {
    if (made && Date.now() < until) return made;
    until = Date.now() + PROFILE_AGE;
    const making = makeProfile(relayer);
    made = making;
    // The next schedule makes another one: all others of this minute would fail with it.
    making.catch(() => {
      if (made === making) made = undefined;
    });
    return making;
  };
}

async function makeProfile({ url }: RunningRelayer): Promise<Profile> {
  const plan = new Plan([]);
  // Nothing fails; the points are kept, to tell where it stands.
  plan.start();
  const browser = createBrowser('', plan);
  const make = async () => {
    // Opens the databases where clocks are slow: the worker waits for one only so long, and its
    // time passes faster than the machine's.
    await browser.load({ local: [], copy: [], session: [], stores: { journal: [], vault: [], requests: [] } });
    await browser.ui('createVault', { password: PASSWORD });
    await browser.ui('addNetwork', { baseUrl: url, name: 'Development' });
    browser.endWorker();
    return browser.save();
  };
  return within(PROFILE_WITHIN, () => `a profile, whose last point is ${plan.trace.at(-1)},`, make());
}

/**
 * Puts the account into the wallet, or all but the account.
 * @returns What must not be seen, and where the account goes.
 */
async function addAccount(
  browser: Browser,
  account: DemoAccount,
  { kinds, unregistered }: Pick<Scenario, 'kinds' | 'unregistered'>,
) {
  const { networks } = await browser.ui('getState', {});
  const networkId = networks[0]?.id ?? '';
  const { signer } = await browser.ui('importSigner', { privateKey: account.privateKey });
  if (!unregistered) {
    const { id } = await browser.ui('addAccount', { networkId, signer, label: 'Main' });
    const { life, background } = browser.worker();
    if (kinds.length > 0) await life.run(() => background.wallet.grants.grant(SITE, [id], kinds));
  }
  const { dataKey } = JSON.parse(browser.session.get('vault:session:key') ?? '{}') as { dataKey: string };
  return { networkId, signer, secret: secretBytes('data key', Buffer.from(dataKey, 'base64')) };
}

/** Everything up to the moment at which the page asks; nothing fails yet. */
export async function setStage(
  relayer: RunningRelayer,
  profile: Profile,
  plan: Plan,
  scenario: Pick<Scenario, 'browsers' | 'kinds' | 'unregistered'>,
): Promise<Stage> {
  // The harness's own reads: patient, because a loaded machine is no fault.
  const client = patientClient(relayer.url);
  const funds = { ETH: '10', LRC: '100000' };
  const privateKey = generatePrivateKey();
  const account = scenario.unregistered
    ? await openUnregistered(client, relayer, privateKey)
    : await openAccount({ client, baseUrl: relayer.url, privateKey, funds });
  const browsers = Array.from({ length: scenario.browsers }, (_, index) =>
    createBrowser(index === 0 ? '' : `${index + 1}:`, plan),
  );
  const wallets = await Promise.all(
    browsers.map(async (browser) => {
      await browser.load(profile);
      return addAccount(browser, account, scenario);
    }),
  );
  const { networkId = '', signer = '' } = wallets[0] ?? {};
  return {
    relayer,
    client,
    account,
    browsers,
    requests: [],
    memory: { networkId, signer },
    secrets: [
      secretBytes('L1 key', hexToBytes(account.privateKey.slice(2))),
      secretBytes('EdDSA key', account.secretKey),
      ...(account.apiKey === '' ? [] : [secretText('API key', account.apiKey)]),
      secretText('password', PASSWORD),
      ...wallets.map(({ secret }) => secret),
    ],
  };
}
