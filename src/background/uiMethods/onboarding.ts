import { getAddress } from 'viem/utils';
import { RelayerClientError } from '../../client/index.ts';
import { type AffinePoint, getPublicKey, type SecretKey } from '../../crypto/index.ts';
import { isFinal, type SubmissionRecord } from '../../journal/index.ts';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import type { AccountLookup, DerivedKey, NetworkView } from '../../messaging/views.ts';
import {
  accountUpdateIdentifier,
  accountUpdateTypedData,
  bodyText,
  type EndpointAnswer,
  type EndpointBody,
  formatHash,
  type Hex,
  typedDataDigest,
} from '../../protocol/index.ts';
import { apiKeyRecord, eddsaRecord } from '../accountKeys.ts';
import { accountView } from '../accountView.ts';
import type { StoredAccount } from '../config.ts';
import { deriveKey, registeredKey, seedTextFor } from '../deriveKey.ts';
import { keyFile, keyText, type NewKey, type NewKeyKind, newKeyRecords, randomKey, readKey } from '../newKeys.ts';
import { hexPoint, isSameKey } from '../pendingKeys.ts';
import { refusedWith, refuseOther, tokenFacts } from '../relayers.ts';
import { infoOf, smartWalletOf } from '../smartWallet.ts';
import { endStandingApprovals } from '../standingApprovals.ts';
import { relayerRefusal, UiFailure } from '../uiFailure.ts';
import type { Wallet } from '../wallet.ts';
import { networkNamed, type UiHandlers } from './uiHandler.ts';

/** `feeRequestTypes`: account update. */
const ACCOUNT_UPDATE = 2;
const ACTIVATION_VALIDITY_SECONDS = 3_600;
const POLL_MS = 1_000;
const POLLS = 60;

type RelayerAccount = EndpointAnswer<'getAccount'>;
type AccountUpdateBody = EndpointBody<'updateAccount'>;

export async function relayerAccount(
  { relayers }: Wallet,
  network: NetworkView,
  owner: string,
): Promise<RelayerAccount | null> {
  await relayers.checkExchange(network);
  try {
    const account = await relayers.client(network).getAccount({ query: { owner } });
    if (account.owner.toLowerCase() !== owner.toLowerCase())
      throw new UiFailure('relayer-unreadable', 'error_relayerAnswerUnreadable', {
        host: new URL(network.baseUrl).host,
      });
    return account;
  } catch (error) {
    if (refusedWith(error, 101001, 101002)) return null;
    throw error;
  }
}

/** The relayer's quote for registering a key, else the list price of the exchange info, else nothing. */
async function activationFee({ relayers }: Wallet, network: NetworkView, accountId: number) {
  const client = relayers.client(network);
  const tokens = await relayers.unchangedTokens(network);
  const fees = await client
    .getOffchainFee({ query: { accountId, requestType: ACCOUNT_UPDATE } })
    .then((answer) => answer.fees)
    .catch(async (error: unknown) => {
      if (!(error instanceof RelayerClientError) || error.kind !== 'refused') throw error;
      return (await client.getExchangeInfo({})).updateFees ?? [];
    });
  for (const { token: symbol, fee } of fees) {
    const token = tokens.find((candidate) => candidate.symbol === symbol);
    if (token) return { token: tokenFacts(token), volume: fee };
  }
  const [native] = tokens;
  if (!native) throw new UiFailure('not-found', 'error_notFound');
  return { token: tokenFacts(native), volume: '0' };
}

/** @param signer - L1 address that would sign for the account. */
async function lookUp(wallet: Wallet, network: NetworkView, owner: string, signer: string): Promise<AccountLookup> {
  const account = await relayerAccount(wallet, network, owner);
  if (!account) return { status: 'absent', owner };
  const smart = (await ownerKind(wallet, network, owner, signer))?.kind ?? null;
  const { accountId, nonce } = account;
  const registered = registeredKey(account);
  return registered
    ? { status: 'registered', owner, smart, accountId, nonce, publicKey: hexPoint(registered) }
    : {
        status: 'unregistered',
        owner,
        smart,
        accountId,
        nonce,
        activationFee: await activationFee(wallet, network, accountId),
      };
}

/** @throws {UiFailure} `signer-mismatch`: an ordinary address, or a wallet, that is not the signer's. */
async function ownerKind({ relayers }: Wallet, network: NetworkView, owner: string, signer: string) {
  const smart = await smartWalletOf(relayers, network, owner, signer);
  if (!smart && owner.toLowerCase() !== signer.toLowerCase())
    throw new UiFailure('signer-mismatch', 'error_ownerMismatch');
  return smart;
}

interface Place {
  readonly networkId: string;
  readonly signer: string;
  readonly owner?: string | undefined;
}

/** An account of the relayer's that is not saved yet. `approver`: L1 address that signs for it. */
async function existingAccount(wallet: Wallet, { networkId, signer, owner: given }: Place) {
  const network = await networkNamed(wallet, networkId);
  const approver = await wallet.l1Signer.addressOf(signer);
  const owner = given === undefined ? approver : getAddress(given as Hex);
  const account = await relayerAccount(wallet, network, owner);
  if (!account) throw new UiFailure('account-absent', 'error_accountAbsent');
  return { network, signer, approver, owner, account, smart: await ownerKind(wallet, network, owner, approver) };
}

type Existing = Awaited<ReturnType<typeof existingAccount>>;

/** Keeps a key for an account that is not saved yet, and shows it beside the registered one. */
async function keep(
  wallet: Wallet,
  network: NetworkView,
  account: RelayerAccount,
  kind: NewKeyKind,
  secretKey: SecretKey,
): Promise<DerivedKey> {
  const registered = registeredKey(account);
  const publicKey = getPublicKey(secretKey);
  const name = `${network.id}:${account.accountId}`;
  // A key whose registration may have arrived must not be lost to another one.
  if ((await isOther(wallet, name, publicKey)) && (await openRegistration(wallet, network, account)))
    throw new UiFailure('rotation-open', 'error_rotationOpen');
  await wallet.newKeys.put(name, kind, secretKey);
  return {
    accountId: account.accountId,
    kind,
    keySeed: kind === 'derived' ? seedTextFor(network, account) : '',
    derived: hexPoint(publicKey),
    registered: registered && hexPoint(registered),
    matches: registered !== null && registered.x === publicKey.x && registered.y === publicKey.y,
  };
}

const isOther = async ({ newKeys }: Wallet, name: string, { x }: AffinePoint): Promise<boolean> =>
  (await newKeys.kindOf(name)) !== undefined && (await newKeys.with(name, ({ publicKey }) => publicKey.x !== x));

async function derive(wallet: Wallet, { network, signer, approver, account }: Existing): Promise<DerivedKey> {
  const seed = seedTextFor(network, account);
  const { secretKey } = await deriveKey(wallet.l1Signer, signer, seed, approver, registeredKey(account));
  try {
    return await keep(wallet, network, account, 'derived', secretKey);
  } finally {
    secretKey.fill(0);
  }
}

async function take(
  wallet: Wallet,
  place: Place,
  kind: NewKeyKind,
  make: (registered: AffinePoint | null) => Promise<SecretKey>,
): Promise<DerivedKey> {
  const { network, account } = await existingAccount(wallet, place);
  const secretKey = await make(registeredKey(account));
  try {
    return await keep(wallet, network, account, kind, secretKey);
  } finally {
    secretKey.fill(0);
  }
}

/** Looks at a first key's registration until it has an end, or for a while. */
async function followRegistration({ submissions }: Wallet, sent: SubmissionRecord): Promise<SubmissionRecord> {
  let record = sent;
  for (let poll = 0; poll < POLLS && !isFinal(record.state); poll++) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    record = await submissions.check(record.id);
  }
  return record;
}

/**
 * A registration that an earlier life of the worker signed and whose end is not known. It may have arrived, so it is followed and
 * no second one is signed beside it.
 */
async function openRegistration(
  { journal }: Wallet,
  network: NetworkView,
  { accountId }: RelayerAccount,
): Promise<SubmissionRecord | undefined> {
  const open = await journal.list({ networkId: network.id, accountId, states: ['signed', 'sent', 'acknowledged'] });
  return open.find(({ operation }) => operation === 'updateAccountKey');
}

/** Registers the first key: signs AccountUpdate with the L1 key, posts it, waits until the relayer reports the key. */
async function activate(
  wallet: Wallet,
  existing: Existing,
  maxFee: { tokenId: number; volume: string },
): Promise<void> {
  const { network, owner, account, smart } = existing;
  // The contract would have to approve a hash on layer 1 within the request's hour, while this page is open.
  if (smart?.kind === 'contract') throw new UiFailure('contract-owner', 'smartContractFirst');
  if (registeredKey(account)) throw new UiFailure('already-registered', 'error_alreadyRegistered');
  const accountName = `${network.id}:${account.accountId}`;
  // Stored before its registration leaves: whatever happens on the way, the registered key is not lost.
  if (!(await wallet.newKeys.kindOf(accountName))) await derive(wallet, existing);
  const { kind, publicKey } = await wallet.newKeys.with(accountName, ({ kind, publicKey }) => ({ kind, publicKey }));
  const body = {
    exchange: network.exchangeAddress,
    owner,
    accountId: account.accountId,
    publicKey: hexPoint(publicKey),
    maxFee,
    validUntil: Math.floor(wallet.ports.now() / 1000) + ACTIVATION_VALIDITY_SECONDS,
    nonce: account.nonce,
    keySeed: kind === 'derived' ? seedTextFor(network, account) : '',
    ...(smart && infoOf(smart)),
  };
  const known = await openRegistration(wallet, network, account);
  const sent = known ? await wallet.submissions.check(known.id) : await register(wallet, existing, body);
  const record = await followRegistration(wallet, sent);
  if (record.state === 'processed') return;
  if (record.state === 'refused')
    throw new UiFailure(
      'relayer-refused',
      'error_relayerRefused',
      relayerRefusal(Number(record.error?.code ?? 100000)),
    );
  throw new UiFailure('activation-timeout', 'error_activationTimeout');
}

/** Reserves, signs and sends a first key's registration, each step on disk before the next. */
async function register(
  { journal, ports, accountKeys, submissions }: Wallet,
  existing: Existing,
  body: Omit<AccountUpdateBody, 'eddsaSignature' | 'ecdsaSignature'>,
): Promise<SubmissionRecord> {
  const { network } = existing;
  const typedData = accountUpdateTypedData(network.chainId, body);
  const { id } = await journal.reserve({
    networkId: network.id,
    accountId: body.accountId,
    origin: OWN_ORIGIN,
    requestId: ports.uuid(),
    operation: 'updateAccountKey',
    draft: body as never,
    reviewDigest: typedDataDigest(typedData),
    validUntil: body.validUntil,
  });
  try {
    const signature = await accountKeys.signByOwner(existing, typedData);
    const text = bodyText({ ...body, ecdsaSignature: signature });
    const wire = { endpoint: 'updateAccount', bodyText: text, signature };
    await journal.markSigned(id, { wire, hash: formatHash(accountUpdateIdentifier(body)) });
  } catch (error) {
    await journal.markAbandoned(id, 'no signature left the wallet');
    throw error;
  }
  return submissions.send(id);
}

export const onboardingHandlers: UiHandlers<
  | 'probeNetwork'
  | 'addNetwork'
  | 'findAccount'
  | 'deriveKey'
  | 'makeKey'
  | 'importKey'
  | 'exportNewKey'
  | 'activateAccount'
  | 'addAccount'
  | 'claimAccount'
> = {
  async probeNetwork({ relayers }, { baseUrl }) {
    const { chainId, exchangeAddress } = await relayers.client({ baseUrl: plain(baseUrl) }).getExchangeInfo({});
    return { chainId, exchangeAddress };
  },

  async addNetwork(wallet, { baseUrl: given, name, shown }) {
    const baseUrl = plain(given);
    const { chainId, exchangeAddress } = await wallet.relayers.client({ baseUrl }).getExchangeInfo({});
    // Else a relayer could show one exchange and have another one pinned.
    if (shown) refuseOther(shown, { chainId, exchangeAddress });
    const { networks } = await wallet.config.read();
    const known = networks.find((network) => network.baseUrl === baseUrl);
    if (known) {
      await wallet.relayers.checkExchange(known, { anew: true });
      return known;
    }
    const other = networks.find(
      (network) =>
        network.chainId !== chainId && network.exchangeAddress.toLowerCase() === exchangeAddress.toLowerCase(),
    );
    // Most signatures name the exchange's address and no chain: one made for a test network would be good on the other chain.
    if (other)
      throw new UiFailure('exchange-other-chain', 'error_exchangeOtherChain', {
        name: other.name,
        known: String(other.chainId),
        chain: String(chainId),
      });
    const network = { id: wallet.ports.uuid(), name, baseUrl, chainId, exchangeAddress };
    await wallet.config.update((data) => ({ ...data, networks: [...data.networks, network] }));
    return network;
  },

  async findAccount(wallet, { networkId, owner: given, signer }) {
    const owner = getAddress(given as Hex);
    const network = await networkNamed(wallet, networkId);
    return lookUp(wallet, network, owner, signer === undefined ? owner : await wallet.l1Signer.addressOf(signer));
  },

  deriveKey: async (wallet, place) => derive(wallet, await existingAccount(wallet, place)),

  makeKey: (wallet, place) => take(wallet, place, 'random', async () => randomKey(wallet.ports.randomBytes)),

  importKey: (wallet, { text, password, ...place }) =>
    take(wallet, place, 'imported', (registered) => readKey(text, password, registered)),

  async exportNewKey(wallet, { password, ...place }) {
    await wallet.vault.checkPassword(password);
    const { network, owner, account } = await existingAccount(wallet, place);
    const about = { network, owner, accountId: account.accountId };
    return wallet.newKeys.with(`${network.id}:${account.accountId}`, async ({ secretKey }) => ({
      key: keyText(secretKey),
      file: await keyFile(wallet.ports, about, secretKey, password),
    }));
  },

  async activateAccount(wallet, { maxFee, ...place }) {
    const existing = await existingAccount(wallet, place);
    await activate(wallet, existing, maxFee);
    return lookUp(wallet, existing.network, existing.owner, existing.approver);
  },

  async addAccount(wallet, { label, ...place }) {
    const { config, vault, newKeys } = wallet;
    const existing = await existingAccount(wallet, place);
    const { network, account } = existing;
    const registered = registeredKey(account);
    if (!registered) throw new UiFailure('key-mismatch', 'error_keyMismatch');
    const { id } = publicFacts(existing, label);
    const known = await accountInUse(wallet, id);
    if (known && isSameKey(known.publicKey, hexPoint(registered)))
      throw new UiFailure('account-exists', 'error_accountExists');
    const isRegistered = ({ publicKey: { x, y } }: NewKey) => registered.x === x && registered.y === y;
    const ready = (await newKeys.kindOf(id)) !== undefined && (await newKeys.with(id, isRegistered));
    if (!ready && !(await derive(wallet, existing)).matches) throw new UiFailure('key-mismatch', 'error_keyMismatch');
    const stored = await newKeys.with(id, async ({ kind, secretKey }): Promise<StoredAccount> => {
      // In use under its own name, and gone from among the new ones, in one write; or with what an older key opened.
      await vault.apply({
        put: [{ info: { id: eddsaRecord(id), account: id, kind: 'eddsa-key' }, bytes: secretKey }],
        remove: known ? [apiKeyRecord(id)] : newKeyRecords(id),
      });
      return {
        ...publicFacts(existing, label),
        keySeed: kind === 'derived' ? seedTextFor(network, account) : '',
        key: { kind, since: wallet.ports.now() },
      };
    });
    await config.update((data) => ({
      ...data,
      accounts: [...data.accounts.filter((one) => one.id !== id), stored],
      claimed: data.claimed.filter((one) => one.id !== id),
      selectedAccount: data.selectedAccount ?? id,
    }));
    if (known) {
      await endStandingApprovals(wallet, { account: id }, 'key');
      // The second write, which takes the old key out of the vault's spare image.
      await newKeys.drop(id);
    }
    wallet.ports.toUi();
    return accountView(stored);
  },

  async claimAccount(wallet, { label, ...place }) {
    const claim = publicFacts(await existingAccount(wallet, place), label);
    const known = await accountInUse(wallet, claim.id);
    if (known) return accountView(known);
    await wallet.config.update((data) => ({
      ...data,
      claimed: [...data.claimed.filter(({ id }) => id !== claim.id), claim],
    }));
    return accountView(claim);
  },
};

/** What is stored of an account besides its key's origin; of one that has no key, a key that nobody has. */
function publicFacts({ network, signer, owner, account, smart }: Existing, label: string): StoredAccount {
  const registered = registeredKey(account) ?? { x: 0n, y: 0n };
  return {
    id: `${network.id}:${account.accountId}`,
    networkId: network.id,
    accountId: account.accountId,
    owner,
    label,
    publicKey: hexPoint(registered),
    signer,
    keySeed: '',
    ...(smart && { smart }),
  };
}

const accountInUse = async ({ config }: Wallet, id: string): Promise<StoredAccount | undefined> =>
  (await config.read()).accounts.find((account) => account.id === id);

const plain = (baseUrl: string) => baseUrl.replace(/\/+$/, '');
