import { privateKeyToAccount } from 'viem/accounts';
import { createSigner, parseSignature, verify } from '../../src/crypto/index.ts';
import { type Facts, IntentError, type Keys, type KnownAddress } from '../../src/operations/operation.ts';
import { pairOf } from '../../src/operations/pairOf.ts';
import type { TokenFacts } from '../../src/operations/review.ts';
import {
  type EndpointName,
  endpoints,
  formatHash,
  type RelayerTypedData,
  typedDataDigest,
} from '../../src/protocol/index.ts';
import { ownerSignature } from '../../src/receipts/recoverSigner.ts';

export const token = (tokenId: number, symbol: string, decimals: number): TokenFacts => ({
  tokenId,
  symbol,
  name: symbol,
  address: `0x${String(tokenId).padStart(40, '0')}`,
  decimals,
});
export const tokens = [token(0, 'ETH', 18), token(1, 'LRC', 18), token(2, 'USDT', 6), token(100, 'LP-LRC-ETH', 18)];
const markets = [{ market: 'LRC-ETH', baseTokenId: 1, quoteTokenId: 0 }];
export const now = 1_800_000_000;
export const DAY = 86_400;

const l1 = privateKeyToAccount(`0x${'7'.repeat(64)}`);
const signer = createSigner(new Uint8Array(32).fill(3));
export const OWNER = l1.address;
export const FRIEND = '0x1111111111111111111111111111111111111111';
export const ACCOUNT_ID = 10005;

/**
 * The account key that is made of 32 equal bytes, as requests write it; the keys below sign with 3.
 */
export const pointOf = (fill: number) => {
  const { x, y } = createSigner(new Uint8Array(32).fill(fill)).publicKey;
  return { x: formatHash(x), y: formatHash(y) };
};

/** Signs as the wallet does: EdDSA by a fixed key, typed data by the owner of the account. */
export const keys: Keys = {
  signEddsa: async (message) => signer.sign(message),
  signTypedData: (typedData) => l1.signTypedData(typedData as never),
  async approveByOwner(typedData) {
    const ecdsaSignature = await l1.signTypedData(typedData as never);
    return { fields: { ecdsaSignature }, header: { signature: ecdsaSignature } };
  },
  holdsNewKey: async () => true,
  signText: (message) => l1.signMessage({ message }),
};

export const verifiesEddsa = (text: unknown, message: bigint) =>
  verify(parseSignature(String(text)), message, signer.publicKey);
export const isSignedBy = async (typedData: RelayerTypedData, signature: unknown, owner: string) =>
  (await ownerSignature(typedDataDigest(typedData), String(signature), owner)) === String(signature);

export const feeAnswer = (fees: Record<string, string>) => ({
  gasPrice: '1000000000',
  fees: Object.entries(fees).map(([symbol, fee]) => ({ token: symbol, fee, discount: 1 })),
});

/**
 * An answer of the relayer to each endpoint that the test lets be asked; `null` where it knows no
 * such thing.
 */
export type Answers = Partial<
  Record<EndpointName, (input: { query?: Record<string, unknown>; body?: Record<string, unknown> }) => unknown>
>;

/** So much of every token that no fee is a share of it worth a word. */
const plenty = tokens.map(({ tokenId }) => ({
  tokenId,
  total: String(10n ** 40n),
  locked: '0',
  pending: { withdraw: '0', deposit: '0' },
}));

const noCode = () => ({ id: 1, jsonrpc: '2.0', result: '0x' });

/** Facts over fixed answers, each of which has to fit the endpoint's own schema. */
export function factsWith(
  given: Answers = {},
  known: readonly KnownAddress[] = [],
  orders: readonly string[] = [],
): Facts {
  const answers: Answers = { getBalances: () => plenty, getAmmBalances: () => [], getCode: noCode, ...given };
  const answer = (name: EndpointName, input: object) => {
    const give = answers[name];
    if (!give) throw new Error(`the test lets nobody ask ${name}`);
    const given = give(input as never);
    return given === null ? null : endpoints[name].answer.parse(given);
  };
  return {
    now,
    chainId: 31337,
    exchangeAddress: '0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4',
    baseUrl: 'http://127.0.0.1:4510',
    origin: 'https://site.example',
    exchanges: async () => ['0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4'],
    keySeeds: async () => [],
    account: { accountId: ACCOUNT_ID, owner: OWNER },
    async token(tokenId, field) {
      const found = tokens.find((candidate) => candidate.tokenId === tokenId);
      if (!found) throw new IntentError(field, `the relayer lists no token ${tokenId}`);
      return found;
    },
    checkPool: async () => {},
    provenNft: async () => null,
    market: async (a, b) => ([a, b].includes(1) && [a, b].includes(0) ? { baseTokenId: 1, quoteTokenId: 0 } : null),
    pairOf: async (name) => pairOf(name, markets, tokens),
    order: async () => null,
    tokenBySymbol: async (symbol) => tokens.find((candidate) => candidate.symbol === symbol) ?? null,
    knownAddresses: async () => known,
    siteOrders: async () => orders,
    signedFees: async () => [],
    listedFees: async () => ({}),
    signedOrder: async () => null,
    recent: async (name, input) => (answers[name] ? (answer(name, input) as never) : null),
    read: async (name, input) => answer(name, input) as never,
    find: async (name, input) => answer(name, input) as never,
  };
}
