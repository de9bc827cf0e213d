import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { formatSignature, getPublicKey, sign } from '../../../src/crypto/index.ts';
import { type DemoAccount, openAccount } from '../../../src/demo/openAccount.ts';
import {
  accountUpdateTypedData,
  endpoints,
  formatHash,
  type Hex,
  requestHash,
  requestMessage,
  typedDataDigest,
} from '../../../src/protocol/index.ts';
import { dev, type Stage } from './stage.ts';

/** As `approveTransaction(owner, digest)` at the exchange would. */
export const approveOnL1 = (stage: Pick<Stage, 'relayer'>, owner: string, digest: string) =>
  dev(stage, 'l1', { approval: { owner, digest } });

export interface SmartAccount extends Pick<DemoAccount, 'accountId' | 'apiKey'> {
  /** Address of the smart wallet. */
  readonly owner: string;
}

/**
 * Gives the extension's wallet the account of a smart wallet, and selects it: funded, with the signer's derived key registered. What is stored
 * of an account is changed for that, since onboarding opens accounts of ordinary addresses only.
 */
export async function addSmartAccount(stage: Stage, kind: 'counterfactual' | 'contract'): Promise<SmartAccount> {
  const { client, relayer, extension } = stage;
  const baseUrl = relayer.url;
  const signer = await openAccount({ client, baseUrl, privateKey: generatePrivateKey(), funds: { ETH: '1' } });
  const [network] = (await extension.ui('getState', {})).networks;
  const networkId = network?.id ?? '';
  const imported = await extension.ui('importSigner', { privateKey: signer.privateKey });
  const { id } = await extension.ui('addAccount', { networkId, signer: imported.signer, label: kind });

  let smart: object = { kind };
  let address: string = privateKeyToAccount(generatePrivateKey()).address;
  if (kind === 'contract') await dev(stage, 'l1', { code: { address, code: '0x6001' } });
  else {
    const { wallet, walletFactory, walletOwner, walletSalt } = await dev<Record<string, string>>(stage, 'wallet', {
      walletOwner: signer.owner,
      walletSalt: '7',
    });
    address = wallet ?? address;
    smart = { kind, walletFactory, walletOwner, walletSalt };
  }
  await dev(stage, 'faucet', {
    owner: address,
    tokens: [
      { symbol: 'ETH', amount: '1000000000000000000' },
      { symbol: 'LRC', amount: '1000000000000000000000' },
    ],
  });
  const { accountId, owner } = await client.getAccount({ query: { owner: address as Hex } });
  const point = getPublicKey(signer.secretKey);
  const { chainId, exchangeAddress } = await client.getExchangeInfo({});
  const body = {
    exchange: exchangeAddress,
    owner,
    accountId,
    publicKey: { x: formatHash(point.x), y: formatHash(point.y) },
    maxFee: { tokenId: 0, volume: '1000000000000000' },
    validUntil: Math.floor(Date.now() / 1000) + 3600,
    nonce: 0,
  };
  const typedData = accountUpdateTypedData(chainId, body);
  if (kind === 'contract') {
    await approveOnL1(stage, owner, typedDataDigest(typedData));
    await client.updateAccount({ body: { ...body, hashApproved: typedDataDigest(typedData) } });
  } else {
    const { kind: _, ...counterFactualInfo } = smart as { kind: string };
    const ecdsaSignature = await privateKeyToAccount(signer.privateKey).signTypedData(typedData as never);
    await client.updateAccount({
      body: { ...body, ecdsaSignature, counterFactualInfo } as never,
      signature: ecdsaSignature,
    });
  }
  while (BigInt((await client.getAccount({ query: { accountId } })).publicKey.x || 0) !== point.x)
    await new Promise((soon) => setTimeout(soon, 100));

  const page = await extension.open('src/ui/popup.html');
  await page.evaluate(
    async ([name, changes]) => {
      const { config } = await chrome.storage.local.get<{ config: { accounts: { id: string }[] } }>('config');
      const accounts = config.accounts.map((account) => (account.id === name ? { ...account, ...changes } : account));
      await chrome.storage.local.set({ config: { ...config, accounts } });
    },
    [id, { accountId, owner, smart }] as const,
  );
  await page.close();
  await extension.ui('selectAccount', { account: id });
  const { method, path } = endpoints.getApiKey;
  const login = requestHash(requestMessage({ method, baseUrl, path, query: { accountId } }));
  const { apiKey } = await client.getApiKey({
    query: { accountId },
    signature: formatSignature(sign(login, signer.secretKey)),
  });
  return { owner, accountId, apiKey };
}
