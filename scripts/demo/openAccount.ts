import { type Hex, hexToBytes, parseUnits } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { RelayerClient } from '../../src/client/index.ts';
import { formatSignature, getPublicKey, type SecretKey, sign } from '../../src/crypto/index.ts';
import {
  accountUpdateTypedData,
  endpoints,
  feeRequestTypes,
  formatHash,
  keySeedText,
  matchSignatureToKey,
  requestHash,
  requestMessage,
  secretKeyFromSignature,
} from '../../src/protocol/index.ts';

/** How long a busy machine may take to make a registered key valid. */
const KEY_PATIENCE_MS = 240_000;

/**
 * An account that can trade: its L1 key, its registered EdDSA key and the relayer's API key.
 * Throw-away by design.
 */
export interface DemoAccount {
  readonly privateKey: Hex;
  /** Checksummed L1 address. */
  readonly owner: Hex;
  readonly accountId: number;
  readonly exchange: Hex;
  readonly secretKey: SecretKey;
  readonly apiKey: string;
  /** Made by this call, not found. */
  readonly isNew: boolean;
}

export interface OpenAccountOptions {
  readonly client: RelayerClient;
  readonly baseUrl: string;
  /** A new one when absent. */
  readonly privateKey?: Hex | undefined;
  /** Whole tokens by symbol, from the development faucet; only for an account that is new. */
  readonly funds: Readonly<Record<string, string>>;
}

/**
 * Brings an L1 key to a funded account with a registered EdDSA key, in the way every wallet does:
 * the key seed signed by the L1 key gives the EdDSA key, the AccountUpdate typed data registers it.
 * @throws {RelayerClientError} The relayer refused or did not answer.
 */
export async function openAccount({
  client,
  baseUrl,
  privateKey = generatePrivateKey(),
  funds,
}: OpenAccountOptions): Promise<DemoAccount> {
  const signer = privateKeyToAccount(privateKey);
  const info = await client.getExchangeInfo({});
  const exchange = info.exchangeAddress as Hex;
  const tokens = await client.getTokens({});
  const before = await client.getAccount({ query: { owner: signer.address } }).catch(() => null);
  if (before === null)
    await useFaucet(
      baseUrl,
      signer.address,
      Object.entries(funds).map(([symbol, amount]) => {
        const token = tokens.find((candidate) => candidate.symbol === symbol);
        if (!token) throw new Error(`The relayer lists no token ${symbol}`);
        return { symbol, amount: parseUnits(amount, token.decimals).toString() };
      }),
    );

  const { accountId, nonce } = await client.getAccount({ query: { owner: signer.address } });
  const seed = keySeedText(exchange, nonce === 0 ? 0 : nonce - 1);
  const signature = hexToBytes(await signer.signMessage({ message: seed }));
  let secretKey: SecretKey;
  if (nonce === 0) {
    secretKey = secretKeyFromSignature(signature);
    await registerKey({ client, signer, chainId: info.chainId, exchange, accountId, secretKey, seed });
  } else {
    const { publicKey } = await client.getAccount({ query: { owner: signer.address } });
    const matched = matchSignatureToKey(signature, { x: BigInt(publicKey.x), y: BigInt(publicKey.y) });
    if (!matched) throw new Error(`The EdDSA key of ${signer.address} was replaced; start with another --profile`);
    secretKey = matched.secretKey;
  }

  const query = { accountId };
  const { method, path } = endpoints.getApiKey;
  const login = requestHash(requestMessage({ method, baseUrl, path, query }));
  const { apiKey } = await client.getApiKey({ query, signature: formatSignature(sign(login, secretKey)) });
  return { privateKey, owner: signer.address, accountId, exchange, secretKey, apiKey, isNew: before === null };
}

async function registerKey(options: {
  readonly client: RelayerClient;
  readonly signer: ReturnType<typeof privateKeyToAccount>;
  readonly chainId: number;
  readonly exchange: Hex;
  readonly accountId: number;
  readonly secretKey: SecretKey;
  readonly seed: string;
}): Promise<void> {
  const { client, signer, chainId, exchange, accountId, secretKey, seed } = options;
  const point = getPublicKey(secretKey);
  const publicKey = { x: formatHash(point.x), y: formatHash(point.y) };
  const { fees } = await client.getOffchainFee({ query: { accountId, requestType: feeRequestTypes.ACCOUNT_UPDATE } });
  const fee = fees.find(({ token }) => token === 'ETH')?.fee ?? '0';
  const body = {
    exchange,
    owner: signer.address,
    accountId,
    publicKey,
    maxFee: { tokenId: 0, volume: fee },
    validUntil: Math.floor(Date.now() / 1000) + 3600,
    nonce: 0,
    keySeed: seed,
  };
  const ecdsaSignature = await signer.signTypedData(accountUpdateTypedData(chainId, body) as never);
  await client.updateAccount({ body: { ...body, ecdsaSignature }, signature: ecdsaSignature });
  const end = Date.now() + KEY_PATIENCE_MS;
  for (let pause = 20; Date.now() < end; pause = Math.min(200, 2 * pause)) {
    const { publicKey: registered, frozen } = await client.getAccount({ query: { accountId } });
    if (!frozen && registered.x !== '' && BigInt(registered.x) === point.x) return;
    await new Promise((done) => setTimeout(done, pause));
  }
  throw new Error(`The relayer took the key of account ${accountId} but did not make it valid within 4 minutes`);
}

async function useFaucet(baseUrl: string, owner: Hex, tokens: readonly { symbol: string; amount: string }[]) {
  const response = await fetch(`${baseUrl}/dev/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ owner, tokens }),
  });
  if (!response.ok) throw new Error(`The faucet answered ${response.status}: ${await response.text()}`);
}
