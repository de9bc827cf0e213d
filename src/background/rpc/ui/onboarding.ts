import { type AffinePoint, getPublicKey, type SecretKey } from '../../../crypto/index.ts';
import { readAddress } from '../../../ethereum/address.ts';
import type { UiParams } from '../../../messaging/uiMethods.ts';
import type { AccountLookup, AccountView, DerivedKey, NetworkView } from '../../../messaging/views.ts';
import { MAX_KEY_SEED } from '../../../protocol/index.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import { deriveKey, registeredKey, seedTextFor } from '../../keys/deriveKey.ts';
import { readKey } from '../../keys/keyText.ts';
import { SIGNERS } from '../../keys/l1Signer.ts';
import { smartWalletOf } from '../../keys/smartWallet.ts';
import { hexPoint, isSameKey, type KeyKind } from '../../keys/stagedKeys.ts';
import { takingOver } from '../../keyUpdate/keyUpdates.ts';
import { relayerAccount, unreadableAnswer } from '../../relayers/accountOfOwner.ts';
import { refuseOther, refuseRealExchange } from '../../relayers/relayers.ts';
import { accountView } from '../../settings/accountView.ts';
import { exchangeId } from '../../settings/exchangeId.ts';
import { accountIdOf, type ConfigData, type StoredAccount } from '../../settings/storedConfig.ts';
import { proposedExchange } from '../../sites/proposedExchange.ts';
import type { Wallet } from '../../wallet.ts';
import { networkNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

/** @param signer - L1 address that would sign for the account. */
async function lookUp(
  wallet: Pick<Wallet, 'relayers'>,
  network: NetworkView,
  owner: string,
  signer: string,
): Promise<AccountLookup> {
  const account = await relayerAccount(wallet, network, owner);
  if (!account) return { status: 'absent', owner };
  const smart = (await ownerKind(wallet, network, owner, signer))?.kind ?? null;
  const { accountId, nonce } = account;
  const registered = registeredKey(account);
  return registered
    ? { status: 'registered', owner, smart, accountId, nonce, publicKey: hexPoint(registered) }
    : { status: 'unregistered', owner, smart, accountId, nonce };
}

/**
 * @throws {UiFailure} `signer-mismatch`: an ordinary address, or a wallet, that is not the
 *   signer's.
 */
async function ownerKind({ relayers }: Pick<Wallet, 'relayers'>, network: NetworkView, owner: string, signer: string) {
  const smart = await smartWalletOf(relayers, network, owner, signer);
  if (!smart && owner.toLowerCase() !== signer.toLowerCase())
    throw new UiFailure('signer-mismatch', 'error_ownerMismatch');
  return smart;
}

/**
 * An account of the relayer's that is not saved yet. `approver`: L1 address that signs for it.
 * @throws {UiFailure} `relayer-unreadable`: the account number is that of another owner's account.
 */
async function existingAccount(
  wallet: Pick<Wallet, 'config' | 'l1Signer' | 'relayers' | 'stagedKeys'>,
  { networkId, signer, owner: given }: UiParams<'deriveKey'>,
) {
  const network = await networkNamed(wallet, networkId);
  const approver = await wallet.l1Signer.addressOf(signer);
  const owner = given === undefined ? approver : readAddress(given);
  const account = await relayerAccount(wallet, network, owner);
  if (!account) throw new UiFailure('account-absent', 'error_accountAbsent');
  const id = idOf({ network, account });
  if (await isOfOther(wallet, id, owner)) throw unreadableAnswer(network);
  const smart = await ownerKind(wallet, network, owner, approver);
  const known = await accountInUse(wallet, id);
  const registered = registeredKey(account);
  const kept = known && registered && isSameKey(known.publicKey, hexPoint(registered)) ? known.keySeed : '';
  return { network, signer, approver, owner, account, smart, seed: seedTextFor(network, account, kept) };
}

type Existing = Awaited<ReturnType<typeof existingAccount>>;

const idOf = ({ network, account: { accountId } }: Pick<Existing, 'network' | 'account'>) =>
  accountIdOf({ networkId: network.id, accountId });

/**
 * Whether the wallet knows another owner's account under an id. Its key would be overwritten and
 * its sites would see the new owner. A claimed account counts once a key is staged for it.
 */
async function isOfOther(
  { config, stagedKeys }: Pick<Wallet, 'config' | 'stagedKeys'>,
  id: string,
  owner: string,
): Promise<boolean> {
  const { accounts, claimed } = await config.read();
  const isOther = (account: StoredAccount) => account.id === id && account.owner.toLowerCase() !== owner.toLowerCase();
  return accounts.some(isOther) || (claimed.some(isOther) && (await stagedKeys.list(id)).length > 0);
}

/** A key for an account, beside the one that the relayer reports. */
function compared({ account, seed }: Existing, kind: KeyKind, publicKey: DerivedKey['derived']): DerivedKey {
  const point = registeredKey(account);
  const registered = point && hexPoint(point);
  return {
    accountId: account.accountId,
    kind,
    keySeed: kind === 'derived' ? seed : '',
    derived: publicKey,
    registered,
    matches: registered !== null && isSameKey(registered, publicKey),
  };
}

/** The account in use, when it holds the registered key. */
async function holding(
  { config, stagedKeys }: Pick<Wallet, 'config' | 'stagedKeys'>,
  existing: Existing,
): Promise<StoredAccount | undefined> {
  const known = await accountInUse({ config }, idOf(existing));
  const registered = registeredKey(existing.account);
  if (!known || !registered || !isSameKey(known.publicKey, hexPoint(registered))) return undefined;
  return (await stagedKeys.isInUse(known.id, known.publicKey)) ? known : undefined;
}

/** The registered key, when it is staged or in use already. */
async function knownRegistered(
  wallet: Pick<Wallet, 'config' | 'stagedKeys'>,
  existing: Existing,
): Promise<DerivedKey | undefined> {
  const registered = registeredKey(existing.account);
  const staged = registered && (await wallet.stagedKeys.find(idOf(existing), hexPoint(registered).x));
  const held = staged ? undefined : await holding(wallet, existing);
  if (!registered || !(staged || held)) return undefined;
  const kind = staged?.kind ?? held?.key?.kind ?? (existing.account.keySeed === '' ? 'random' : 'derived');
  return compared(existing, kind, hexPoint(registered));
}

/**
 * Compares the key that `make` gives, and stages it when it is the registered one; any other has no
 * use here.
 */
async function stage(
  wallet: Pick<Wallet, 'stagedKeys'>,
  existing: Existing,
  kind: KeyKind,
  make: (registered: AffinePoint | null) => Promise<SecretKey>,
): Promise<DerivedKey> {
  const secretKey = await make(registeredKey(existing.account));
  try {
    const key = compared(existing, kind, hexPoint(getPublicKey(secretKey)));
    if (key.matches) await wallet.stagedKeys.put(idOf(existing), kind, secretKey);
    return key;
  } finally {
    secretKey.fill(0);
  }
}

/** Nobody is asked for a signature when the registered key is here already. */
async function derive(
  wallet: Pick<Wallet, 'config' | 'l1Signer' | 'stagedKeys'>,
  existing: Existing,
): Promise<DerivedKey> {
  const { signer, seed, approver } = existing;
  const known = await knownRegistered(wallet, existing);
  if (known) return known;
  return stage(wallet, existing, 'derived', (registered) =>
    deriveKey(wallet.l1Signer, signer, seed, approver, registered),
  );
}

/**
 * Most signatures name the exchange's address and no chain: one made on a test network would be
 * good on the other chain, also after the network was removed.
 * @throws {UiFailure} `exchange-other-chain`
 */
async function refuseOtherChain(
  { journal }: Pick<Wallet, 'journal'>,
  networks: readonly NetworkView[],
  added: NetworkView,
): Promise<void> {
  const [chain = '', contract] = exchangeId(added).split(':');
  for (const exchange of [...networks.map(exchangeId), ...(await journal.usedExchanges())]) {
    const [known = '', other] = exchange.split(':');
    if (other === contract && known !== chain)
      throw new UiFailure('exchange-other-chain', 'error_exchangeOtherChain', { known, chain });
  }
}

const lookups = {
  getProposedExchange: async ({ ports }) => (await proposedExchange(ports).read()) ?? null,

  async probeNetwork({ relayers }, { baseUrl }) {
    const { chainId, exchangeAddress } = await relayers.client({ baseUrl: plain(baseUrl) }).getExchangeInfo({});
    refuseRealExchange(chainId);
    return { chainId, exchangeAddress };
  },

  async addNetwork(wallet, { baseUrl: given, name, shown }) {
    const baseUrl = plain(given);
    const { chainId, exchangeAddress } = await wallet.relayers.client({ baseUrl }).getExchangeInfo({});
    refuseRealExchange(chainId);
    // Else a relayer could show one exchange and have another one pinned.
    if (shown) refuseOther(shown, { chainId, exchangeAddress });
    const added = { id: wallet.ports.uuid(), name, baseUrl, chainId, exchangeAddress };
    const { networks } = await wallet.config.update(async (data) => {
      if (data.networks.some((network) => network.baseUrl === baseUrl)) return data;
      await refuseOtherChain(wallet, data.networks, added);
      return { ...data, networks: [...data.networks, added] };
    });
    const network = networks.find((one) => one.baseUrl === baseUrl) ?? added;
    if (network !== added) await wallet.relayers.checkExchange(network, { anew: true });
    return network;
  },

  async findAccount(wallet, { networkId, owner: given, signer }) {
    const owner = readAddress(given);
    const network = await networkNamed(wallet, networkId);
    return lookUp(wallet, network, owner, signer === undefined ? owner : await wallet.l1Signer.addressOf(signer));
  },
} satisfies UiHandlers<'config' | 'journal' | 'l1Signer' | 'ports' | 'relayers'>;

const additions = {
  deriveKey: async (wallet, place) => derive(wallet, await existingAccount(wallet, place)),

  importKey: async (wallet, { text, password, ...place }) =>
    stage(wallet, await existingAccount(wallet, place), 'imported', (registered) =>
      readKey(text, password, registered),
    ),

  async addAccount(wallet, { label, ...place }) {
    const { config, stagedKeys } = wallet;
    const existing = await existingAccount(wallet, place);
    const { network, account } = existing;
    const registered = registeredKey(account);
    if (!registered) throw new UiFailure('key-mismatch', 'error_keyMismatch');
    const facts = publicFacts(existing, label);
    const { id, publicKey } = facts;
    const known = await accountInUse(wallet, id);
    // An account that is listed without its key, as after a damaged record, gets it again.
    const held = await holding(wallet, existing);
    if (held) {
      // A copy that was imported again would take its place, and standing approvals would end.
      await stagedKeys.remove(id, publicKey.x);
      const renewed = await signedBy(wallet, held, facts);
      if (!renewed) throw new UiFailure('account-exists', 'error_accountExists');
      return renewed;
    }
    const { kind, keySeed, matches } = await derive(wallet, existing);
    if (!matches) throw new UiFailure('key-mismatch', 'error_keyMismatch');
    const stored: StoredAccount = { ...facts, ...(keySeed && { keySeed }), key: { kind, since: wallet.ports.now() } };
    await wallet.ports.lock(takingOver(id), async () => {
      // Again: the owner's wallet may have taken minutes, in which a key update may have ended.
      const now = await relayerAccount(wallet, network, facts.owner);
      const key = now?.accountId === account.accountId && registeredKey(now);
      if (!key || !isSameKey(hexPoint(key), publicKey)) throw new UiFailure('key-mismatch', 'error_keyMismatch');
      refuseRemoved(await config.read(), stored);
      await stagedKeys.promote(id, publicKey);
      await list(wallet, stored, (data) => ({
        accounts: [...data.accounts.filter((one) => one.id !== id), stored],
        claimed: data.claimed.filter((one) => one.id !== id),
      }));
    });
    await wallet.keyUpdate.placed(stored, network, known !== undefined);
    wallet.ports.toUi();
    return accountView(stored);
  },

  async claimAccount(wallet, { label, ...place }) {
    const claim = publicFacts(await existingAccount(wallet, place), label);
    const known = await accountInUse(wallet, claim.id);
    if (known) return (await signedBy(wallet, known, claim)) ?? accountView(known);
    await list(wallet, claim, (data) => ({
      claimed: [...data.claimed.filter(({ id }) => id !== claim.id), claim],
    }));
    return accountView(claim);
  },
} satisfies UiHandlers<'config' | 'keyUpdate' | 'l1Signer' | 'ports' | 'relayers' | 'stagedKeys'>;

/**
 * Gives an account in use the signer that was found for it now, such as where a backup was restored
 * without the wallet that signed before. Everything else of it stays.
 * @returns `undefined` when it is the one that it has.
 */
async function signedBy(
  wallet: Pick<Wallet, 'config' | 'ports'>,
  known: StoredAccount,
  facts: StoredAccount,
): Promise<AccountView | undefined> {
  const { id, signer, smart } = facts;
  if (known.signer === signer && JSON.stringify(known.smart) === JSON.stringify(smart)) return undefined;
  await list(wallet, facts, (data) => ({
    accounts: data.accounts.map((one) => (one.id === id ? { ...one, signer, smart } : one)),
  }));
  wallet.ports.toUi();
  return accountView({ ...known, signer, smart });
}

export const onboardingHandlers = { ...lookups, ...additions };

/**
 * Stored fields of an account besides its key's origin; an account without a key has a public key
 * that nobody has the secret of.
 */
function publicFacts(existing: Existing, label: string): StoredAccount {
  const { network, signer, owner, account, smart } = existing;
  const registered = registeredKey(account) ?? { x: 0n, y: 0n };
  return {
    id: idOf(existing),
    networkId: network.id,
    accountId: account.accountId,
    owner,
    label,
    publicKey: hexPoint(registered),
    signer,
    keySeed: account.keySeed.slice(0, MAX_KEY_SEED),
    ...(smart && { smart }),
  };
}

/**
 * Another tab may have removed them since they were read: no account is listed without them.
 * @throws {UiFailure} `not-found`
 */
function refuseRemoved(data: ConfigData, { networkId, signer }: StoredAccount): ConfigData {
  if (data.networks.some(({ id }) => id === networkId) && data.signers.some(({ id }) => id === signer)) return data;
  throw new UiFailure('not-found', 'error_notFound');
}

/** Lists an account while its signer cannot be removed. @throws As `refuseRemoved`. */
const list = (
  { config, ports }: Pick<Wallet, 'config' | 'ports'>,
  account: StoredAccount,
  change: (data: ConfigData) => Partial<ConfigData>,
): Promise<ConfigData> =>
  ports.lock(SIGNERS, () => config.update((data) => ({ ...refuseRemoved(data, account), ...change(data) })));

const accountInUse = async ({ config }: Pick<Wallet, 'config'>, id: string): Promise<StoredAccount | undefined> =>
  (await config.read()).accounts.find((account) => account.id === id);

const plain = (baseUrl: string) => baseUrl.replace(/\/+$/, '');
