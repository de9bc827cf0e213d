import { getAddress } from 'viem/utils';
import { RelayerClientError } from '../../client/index.ts';
import type { AffinePoint } from '../../crypto/index.ts';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import type { AccountLookup, NetworkView } from '../../messaging/views.ts';
import {
  accountUpdateTypedData,
  bodyText,
  type EndpointAnswer,
  formatHash,
  type Hex,
  typedDataDigest,
} from '../../protocol/index.ts';
import { eddsaRecord } from '../accountKeys.ts';
import { accountView, type StoredAccount } from '../config.ts';
import { deriveKey, registeredKey, seedTextFor } from '../deriveKey.ts';
import { refusedWith, tokenFacts } from '../relayers.ts';
import { UiFailure } from '../uiFailure.ts';
import type { Wallet } from '../wallet.ts';
import { networkNamed, type UiHandlers } from './uiHandler.ts';

/** `feeRequestTypes`: account update. */
const ACCOUNT_UPDATE = 2;
const ACTIVATION_VALIDITY_SECONDS = 3_600;
const POLL_MS = 1_000;
const POLLS = 60;

type RelayerAccount = EndpointAnswer<'getAccount'>;

const hexPoint = ({ x, y }: AffinePoint) => ({ x: formatHash(x), y: formatHash(y) });

async function relayerAccount(
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
  const { tokens } = await relayers.facts(network);
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

async function lookUp(wallet: Wallet, network: NetworkView, owner: string): Promise<AccountLookup> {
  const account = await relayerAccount(wallet, network, owner);
  if (!account) return { status: 'absent', owner };
  const { accountId, nonce } = account;
  const registered = registeredKey(account);
  return registered
    ? { status: 'registered', owner, accountId, nonce, publicKey: hexPoint(registered) }
    : {
        status: 'unregistered',
        owner,
        accountId,
        nonce,
        activationFee: await activationFee(wallet, network, accountId),
      };
}

async function existingAccount(wallet: Wallet, network: NetworkView, signer: string) {
  const owner = await wallet.l1Signer.addressOf(signer);
  const account = await relayerAccount(wallet, network, owner);
  if (!account) throw new UiFailure('account-absent', 'error_accountAbsent');
  return { owner, account };
}

/** Registers the first key: signs AccountUpdate with the L1 key, posts it, waits until the relayer reports the key. */
async function activate(
  wallet: Wallet,
  network: NetworkView,
  signer: string,
  maxFee: { tokenId: number; volume: string },
): Promise<void> {
  const { journal, ports, l1Signer, relayers } = wallet;
  const { owner, account } = await existingAccount(wallet, network, signer);
  if (registeredKey(account)) throw new UiFailure('already-registered', 'error_alreadyRegistered');
  const keySeed = seedTextFor(network, account);
  const { secretKey, publicKey } = await deriveKey(l1Signer, signer, keySeed, owner, null);
  secretKey.fill(0);
  const body = {
    exchange: network.exchangeAddress,
    owner,
    accountId: account.accountId,
    publicKey: hexPoint(publicKey),
    maxFee,
    validUntil: Math.floor(ports.now() / 1000) + ACTIVATION_VALIDITY_SECONDS,
    nonce: account.nonce,
    keySeed,
  };
  const typedData = accountUpdateTypedData(network.chainId, body);
  const { id } = await journal.reserve({
    networkId: network.id,
    accountId: account.accountId,
    origin: OWN_ORIGIN,
    requestId: ports.uuid(),
    operation: 'updateAccountKey',
    draft: body,
    reviewDigest: typedDataDigest(typedData),
    validUntil: body.validUntil,
  });
  const signature = await l1Signer.signTypedData(signer, typedData);
  const text = bodyText({ ...body, ecdsaSignature: signature });
  await journal.markSigned(id, { wire: { endpoint: 'updateAccount', bodyText: text, signature } });
  await journal.markSent(id);
  try {
    const ack = await relayers.client(network).updateAccount({ bodyText: text, signature });
    await journal.markAcknowledged(id, JSON.parse(JSON.stringify(ack)));
  } catch (error) {
    if (error instanceof RelayerClientError && error.kind === 'refused')
      await journal.markRefused(id, {
        code: error.relayerCode ?? 'refused',
        message: error.message,
        outcome: 'refused',
      });
    throw error;
  }
  for (let poll = 0; poll < POLLS; poll++) {
    const now = await relayerAccount(wallet, network, owner);
    const registered = now && registeredKey(now);
    if (registered?.x === publicKey.x && registered.y === publicKey.y) {
      await journal.markFinal(id, 'processed');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new UiFailure('activation-timeout', 'error_activationTimeout');
}

export const onboardingHandlers: UiHandlers<
  | 'probeNetwork'
  | 'addNetwork'
  | 'importSigner'
  | 'generateSigner'
  | 'exportSigner'
  | 'findAccount'
  | 'deriveKey'
  | 'activateAccount'
  | 'addAccount'
> = {
  async probeNetwork({ relayers }, { baseUrl }) {
    const { chainId, exchangeAddress } = await relayers.client({ baseUrl: plain(baseUrl) }).getExchangeInfo({});
    return { chainId, exchangeAddress };
  },

  async addNetwork(wallet, { baseUrl: given, name }) {
    const baseUrl = plain(given);
    const { chainId, exchangeAddress } = await wallet.relayers.client({ baseUrl }).getExchangeInfo({});
    const { networks } = await wallet.config.read();
    const known = networks.find((network) => network.baseUrl === baseUrl);
    if (known) {
      await wallet.relayers.checkExchange(known);
      return known;
    }
    const network = { id: wallet.ports.uuid(), name, baseUrl, chainId, exchangeAddress };
    await wallet.config.update((data) => ({ ...data, networks: [...data.networks, network] }));
    return network;
  },

  importSigner: async (wallet, { privateKey }) =>
    addSigner(wallet, await wallet.l1Signer.import(privateKey).catch(badKey)),

  generateSigner: async (wallet) => addSigner(wallet, await wallet.l1Signer.generate()),

  async exportSigner({ vault, l1Signer }, { signer, password }) {
    await vault.checkPassword(password);
    return { privateKey: await l1Signer.exportKey(signer) };
  },

  findAccount: async (wallet, { networkId, owner }) =>
    lookUp(wallet, await networkNamed(wallet, networkId), getAddress(owner as Hex)),

  async deriveKey(wallet, { networkId, signer }) {
    const network = await networkNamed(wallet, networkId);
    const { owner, account } = await existingAccount(wallet, network, signer);
    const keySeed = seedTextFor(network, account);
    const registered = registeredKey(account);
    const { secretKey, publicKey, matches } = await deriveKey(wallet.l1Signer, signer, keySeed, owner, registered);
    secretKey.fill(0);
    return {
      accountId: account.accountId,
      keySeed,
      derived: hexPoint(publicKey),
      registered: registered && hexPoint(registered),
      matches,
    };
  },

  async activateAccount(wallet, { networkId, signer, maxFee }) {
    const network = await networkNamed(wallet, networkId);
    await activate(wallet, network, signer, maxFee);
    return lookUp(wallet, network, await wallet.l1Signer.addressOf(signer));
  },

  async addAccount(wallet, { networkId, signer, label }) {
    const { config, vault, l1Signer } = wallet;
    const network = await networkNamed(wallet, networkId);
    const { owner, account } = await existingAccount(wallet, network, signer);
    const registered = registeredKey(account);
    if (!registered) throw new UiFailure('key-mismatch', 'error_keyMismatch');
    const keySeed = seedTextFor(network, account);
    const { secretKey, publicKey, matches } = await deriveKey(l1Signer, signer, keySeed, owner, registered);
    try {
      if (!matches) throw new UiFailure('key-mismatch', 'error_keyMismatch');
      const id = `${network.id}:${account.accountId}`;
      const stored: StoredAccount = {
        id,
        networkId: network.id,
        accountId: account.accountId,
        owner,
        label,
        publicKey: hexPoint(publicKey),
        signer,
        keySeed,
        key: { kind: 'derived', since: wallet.ports.now() },
      };
      if (await config.account(id)) throw new UiFailure('account-exists', 'error_accountExists');
      await vault.putSecret({ id: eddsaRecord(id), account: id, kind: 'eddsa-key' }, secretKey);
      await config.update((data) => ({
        ...data,
        accounts: [...data.accounts, stored],
        selectedAccount: data.selectedAccount ?? id,
      }));
      wallet.ports.toUi();
      return accountView(stored);
    } finally {
      secretKey.fill(0);
    }
  },
};

const plain = (baseUrl: string) => baseUrl.replace(/\/+$/, '');

function badKey(): never {
  throw new UiFailure('invalid-input', 'error_invalidInput', { field: 'privateKey' });
}

async function addSigner({ config }: Wallet, { signer, address }: { signer: string; address: string }) {
  await config.update((data) => ({ ...data, signers: [...data.signers, { id: signer, address, kind: 'local' }] }));
  return { signer, address };
}
