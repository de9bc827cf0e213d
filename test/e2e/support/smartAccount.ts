import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import type { DemoAccount } from '../../../scripts/demo/openAccount.ts';
import { keyText } from '../../../src/background/keys/keyText.ts';
import { formatSignature, getPublicKey, sign } from '../../../src/crypto/index.ts';
import {
  accountUpdateTypedData,
  endpoints,
  formatHash,
  type Hex,
  requestHash,
  requestMessage,
  typedDataDigest,
} from '../../../src/protocol/index.ts';
import { randomSecretKey } from '../../relayer/support/testAccount.ts';
import { dev } from '../../support/dev.ts';
import type { Stage } from './stage.ts';

/** As `approveTransaction(owner, digest)` at the exchange would. */
export const approveOnL1 = (stage: Pick<Stage, 'relayer'>, owner: string, digest: string) =>
  dev(stage.relayer, 'l1', { approval: { owner, digest } });

export interface SmartAccount extends Pick<DemoAccount, 'accountId' | 'apiKey' | 'secretKey'> {
  /** Address of the smart wallet. */
  readonly owner: string;
  /** L1 key that signs for it, while it is not deployed. */
  readonly privateKey: Hex;
}

/**
 * Funds the account of a smart wallet and registers a random key for it, as each kind of owner
 * approves it.
 */
export async function openSmartAccount(
  { client, relayer }: Pick<Stage, 'client' | 'relayer'>,
  kind: 'counterfactual' | 'contract',
): Promise<SmartAccount> {
  const baseUrl = relayer.url;
  const privateKey = generatePrivateKey();
  const signer = privateKeyToAccount(privateKey);
  let counterFactualInfo: Record<string, string> = {};
  let address: string = privateKeyToAccount(generatePrivateKey()).address;
  if (kind === 'contract') await dev(relayer, 'l1', { code: { address, code: '0x6001' } });
  else {
    const { wallet, walletFactory, walletOwner, walletSalt } = await dev<Record<string, string>>(relayer, 'wallet', {
      walletOwner: signer.address,
      walletSalt: '7',
    });
    address = wallet ?? address;
    counterFactualInfo = { walletFactory, walletOwner, walletSalt } as Record<string, string>;
  }
  await dev(relayer, 'faucet', {
    owner: address,
    tokens: [
      { symbol: 'ETH', amount: '1000000000000000000' },
      { symbol: 'LRC', amount: '1000000000000000000000' },
    ],
  });
  const { accountId, owner } = await client.getAccount({ query: { owner: address as Hex } });
  const secretKey = randomSecretKey();
  const point = getPublicKey(secretKey);
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
    await approveOnL1({ relayer }, owner, typedDataDigest(typedData));
    await client.updateAccount({ body: { ...body, hashApproved: typedDataDigest(typedData) } });
  } else {
    const ecdsaSignature = await signer.signTypedData(typedData as never);
    await client.updateAccount({
      body: { ...body, ecdsaSignature, counterFactualInfo } as never,
      signature: ecdsaSignature,
    });
  }
  const registered = async () => BigInt((await client.getAccount({ query: { accountId } })).publicKey.x || 0);
  await expect.poll(registered, { interval: 100 }).toBe(point.x);
  const { method, path } = endpoints.getApiKey;
  const login = requestHash(requestMessage({ method, baseUrl, path, query: { accountId } }));
  const { apiKey } = await client.getApiKey({
    query: { accountId },
    signature: formatSignature(sign(login, secretKey)),
  });
  return { owner, accountId, apiKey, secretKey, privateKey };
}

/**
 * Gives the extension's wallet the account of a smart wallet, with its key brought along, and
 * selects it.
 */
export async function addSmartAccount(stage: Stage, kind: 'counterfactual' | 'contract'): Promise<SmartAccount> {
  const { extension } = stage;
  const account = await openSmartAccount(stage, kind);
  const [network] = (await extension.ui('getState', {})).networks;
  const { signer } = await extension.ui('importSigner', { privateKey: account.privateKey });
  const place = { networkId: network?.id ?? '', signer, owner: account.owner };
  await extension.ui('importKey', { ...place, text: keyText(account.secretKey), password: null });
  const { id } = await extension.ui('addAccount', { ...place, label: kind });
  await extension.ui('selectAccount', { account: id });
  return account;
}
