import { bytesToHex } from '@noble/hashes/utils.js';
import { createSigner, formatSignature } from '../../crypto/index.ts';
import { personalMessageDigest } from '../../ethereum/personalMessage.ts';
import type { NetworkView } from '../../messaging/views.ts';
import type { Keys, NewKey } from '../../operations/operation.ts';
import {
  apiKeyText,
  endpoints,
  type Hex,
  requestHash,
  requestMessage,
  type TypedData,
  typedDataDigest,
} from '../../protocol/index.ts';
import { ownerSignature } from '../../receipts/recoverSigner.ts';
import { report } from '../../report/report.ts';
import { type Vault, VaultError } from '../../vault/index.ts';
import { KeyAbsent } from '../relayers/apiKeys.ts';
import { type Relayers, refusedWith } from '../relayers/relayers.ts';
import { approverOf } from '../settings/smartAccount.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { apiKeyRecord, eddsaRecord } from './keyRecords.ts';
import type { KeyUse } from './keyUse.ts';
import type { L1Signer } from './l1Signer.ts';
import { hexPoint } from './stagedKeys.ts';

/** How long an API key that was read ahead waits for the calls that need it, milliseconds. */
const AHEAD_MS = 1_000;

const keyAbsent = ({ id }: StoredAccount) => new KeyAbsent(`no key of account ${id} is here`);

/**
 * Gives access to what an account key opens: signatures, and the relayer's API key. Both
 * stay behind these functions.
 */
export function createAccountKeys(
  vault: Vault,
  relayers: Relayers,
  l1Signer: L1Signer,
  keyUse: KeyUse,
  holdsNewKey: (account: string, publicKey: NewKey['publicKey']) => Promise<boolean>,
) {
  /** Concurrent calls share one login. */
  const logins = new Map<string, Promise<string>>();
  /** By account: read before a call needs it. */
  const ahead = new Map<string, Promise<string>>();

  const storedApiKey = (account: string): Promise<string> =>
    vault.withSecret(apiKeyRecord(account), (bytes) => new TextDecoder().decode(bytes));

  async function signTypedData(
    account: Pick<StoredAccount, 'signer' | 'owner' | 'smart'>,
    typedData: TypedData,
  ): Promise<Hex> {
    const given = await l1Signer.signTypedData(account.signer, typedData);
    // A signer that holds another key, or errs, must not send an account's request.
    const signature = await ownerSignature(typedDataDigest(typedData), given, approverOf(account));
    if (!signature) throw new Error(`the L1 signature over ${typedData.primaryType} is not the owner's`);
    return signature;
  }

  /**
   * @param signedWith - is told the public key of each signature: a key update may have replaced
   *   the one that `account` names.
   */
  const keysOf = (account: StoredAccount, signedWith: (publicKey: NewKey['publicKey']) => void = () => {}): Keys => ({
    async signEddsa(message) {
      const signature = await vault.withSecret(eddsaRecord(account.id), (secretKey) => {
        const signer = createSigner(secretKey);
        try {
          signedWith(hexPoint(signer.publicKey));
          return signer.sign(message);
        } finally {
          signer.wipe();
        }
      });
      keyUse.count(account);
      return signature;
    },
    signTypedData: (typedData) => signTypedData(account, typedData),
    async approveByOwner(typedData) {
      // A contract cannot sign; its approval is a transaction of its own, at the exchange.
      if (account.smart?.kind === 'contract')
        return { fields: { hashApproved: typedDataDigest(typedData) }, header: {} };
      const ecdsaSignature = await signTypedData(account, typedData);
      return { fields: { ecdsaSignature }, header: { signature: ecdsaSignature } };
    },
    holdsNewKey: (publicKey) => holdsNewKey(account.id, publicKey),
    async signText(text) {
      const given = `0x${bytesToHex(await l1Signer.signText(account.signer, text))}` as const;
      const signature = await ownerSignature(personalMessageDigest(text), given, account.owner);
      if (!signature) throw new Error("the L1 signature over the text is not the owner's");
      return signature;
    },
  });

  /**
   * Asks the relayer for the API key; the request signature for it never changes, so it is treated
   * like a password.
   */
  async function login(account: StoredAccount, network: NetworkView): Promise<string> {
    if (!(await vault.hasSecret(eddsaRecord(account.id)))) throw keyAbsent(account);
    const { method, path } = endpoints.getApiKey;
    const query = { accountId: account.accountId };
    const message = requestHash(requestMessage({ method, baseUrl: network.baseUrl, path, query }));
    const signature = formatSignature(await keysOf(account).signEddsa(message));
    const { apiKey } = await relayers.client(network).getApiKey({ query, signature });
    await vault
      .putSecret(
        { id: apiKeyRecord(account.id), account: account.id, kind: 'api-key' },
        new TextEncoder().encode(apiKey),
        // The account may have been removed while the relayer was waited for.
        eddsaRecord(account.id),
      )
      .catch((error: unknown) => {
        if (error instanceof VaultError && error.code === 'locked') throw error;
        if (error instanceof VaultError && error.code === 'not-found') throw keyAbsent(account);
        // It can be had again; a full disk must not keep the account from its calls.
        report('keys: store an API key', error);
      });
    return apiKey;
  }

  async function apiKey(account: StoredAccount, network: NetworkView, renew: boolean): Promise<string> {
    if (!renew) {
      try {
        const stored = await (ahead.get(account.id) ?? storedApiKey(account.id));
        // An earlier version stored whatever the relayer gave; what no header can carry is asked
        // for anew.
        if (apiKeyText().safeParse(stored).success) return stored;
      } catch (error) {
        // A damaged one costs itself alone.
        if (!(error instanceof VaultError && (error.code === 'not-found' || error.code === 'damaged'))) throw error;
      }
    }
    ahead.delete(account.id);
    let running = logins.get(account.id);
    if (!running) {
      running = login(account, network).finally(() => logins.delete(account.id));
      logins.set(account.id, running);
    }
    return running;
  }

  return {
    keysOf,
    /**
     * Reads the API key of an account for calls within the next second, all of them. An approval
     * request's window opens meanwhile, and while the browser opens a window it answers no read.
     */
    readApiKeyAhead(account: string): void {
      const reading = storedApiKey(account);
      const forget = () => {
        if (ahead.get(account) === reading) ahead.delete(account);
      };
      ahead.set(account, reading);
      // A locked wallet may be unlocked by then; who needs the key reads it again.
      reading.catch(forget);
      setTimeout(forget, AHEAD_MS);
    },
    /** The wallet is locked: what was read ahead serves no call any more. */
    forgetAhead: (): void => ahead.clear(),
    /**
     * The API key for a connection that pushes.
     * @param refused - The key that the relayer no longer knows, so that another one is needed.
     */
    async apiKeyFor(account: StoredAccount, network: NetworkView, refused?: string): Promise<string> {
      const held = await apiKey(account, network, false);
      return held === refused ? apiKey(account, network, true) : held;
    },
    /**
     * Runs a call with the API key; a key that the relayer no longer knows (API_KEY_INVALID) is
     * replaced once.
     */
    async withApiKey<T>(
      account: StoredAccount,
      network: NetworkView,
      call: (apiKey: string) => Promise<T>,
    ): Promise<T> {
      try {
        return await call(await apiKey(account, network, false));
      } catch (error) {
        if (!refusedWith(error, 'API_KEY_INVALID')) throw error;
        return call(await apiKey(account, network, true));
      }
    },
  };
}

export type AccountKeys = ReturnType<typeof createAccountKeys>;
