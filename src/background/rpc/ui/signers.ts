import type { PhraseAccount, SignerView } from '../../../messaging/views.ts';
import { registeredKey } from '../../keys/deriveKey.ts';
import { refuseUsed } from '../../keys/l1Signer.ts';
import { relayerAccount } from '../../relayers/accountOfOwner.ts';
import type { StoredSigner } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';
import { networkNamed } from './named.ts';
import { checkRemoval } from './removal.ts';
import type { UiHandlers } from './uiHandler.ts';

/**
 * Addresses of a recovery phrase that are looked up at a time; relayers answer five requests a
 * second.
 */
const PHRASE_PAGE = 5;

async function signerViews({ config }: Pick<Wallet, 'config'>): Promise<SignerView[]> {
  const { signers, accounts } = await config.read();
  return signers.map(({ id, address, kind, phrase }) => ({
    id,
    address,
    kind,
    phrase: phrase ?? null,
    accounts: accounts.filter((account) => account.signer === id).map((account) => account.id),
  }));
}

const named = ({ id, address }: StoredSigner) => ({ signer: id, address });

const signers = {
  importSigner: async ({ l1Signer }, { privateKey }) => named(await l1Signer.import(privateKey)),

  generateSigner: async ({ l1Signer }) => named(await l1Signer.generate()),

  async listPhraseAccounts(wallet, { phrase, networkId, start }) {
    const network = await networkNamed(wallet, networkId);
    const found: PhraseAccount[] = [];
    for (const [offset, address] of (await wallet.l1Signer.phraseAddresses(phrase, start, PHRASE_PAGE)).entries()) {
      const account = await relayerAccount(wallet, network, address);
      const status = account === null ? 'absent' : registeredKey(account) === null ? 'unregistered' : 'registered';
      found.push({ index: start + offset, address, status, accountId: account?.accountId ?? null });
    }
    return found;
  },

  importPhrase: async ({ l1Signer }, { phrase, index }) => named(await l1Signer.fromPhrase(phrase, index)),

  connectExtension: async ({ l1Signer }, { extensionId }) => ({
    addresses: await l1Signer.externalAccounts(extensionId),
  }),

  addExternalSigner: async ({ l1Signer }, { extensionId, address }) =>
    named(await l1Signer.addExternal(extensionId, address)),

  async exportSigner({ vault, l1Signer }, { signer, password }) {
    await vault.checkPassword(password);
    return l1Signer.exportKey(signer);
  },

  listSigners: (wallet) => signerViews(wallet),
} satisfies UiHandlers<'config' | 'l1Signer' | 'relayers' | 'vault'>;

const removal = {
  async removeSigner(wallet, { signer: id, password }) {
    const { vault, config, l1Signer, stagedKeys } = wallet;
    const { claimed } = await config.read();
    const remove = await l1Signer.recordsOf(id);
    await vault.checkPassword(password);
    const claims = claimed.filter((claim) => claim.signer === id);
    const staged = await Promise.all(claims.map((claim) => stagedKeys.recordsOf(claim.id)));
    await checkRemoval(vault, [...remove, ...staged.flat()]);
    refuseUsed(await wallet.keyUpdate.releaseClaims((account) => account.signer === id));
    await l1Signer.remove(id);
    wallet.ports.toUi();
    return signerViews(wallet);
  },
} satisfies UiHandlers<'config' | 'keyUpdate' | 'l1Signer' | 'ports' | 'stagedKeys' | 'vault'>;

export const signerHandlers = { ...signers, ...removal };
