import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { createSigner, parseSignature, verify } from '../../src/crypto/index.ts';
import type { AnyOperation } from '../../src/operations/index.ts';
import {
  type Facts,
  IntentError,
  type Keys,
  type KnownAddress,
  type SignedRequest,
} from '../../src/operations/operation.ts';
import type { Review, TokenFacts } from '../../src/operations/review.ts';
import { type EndpointName, endpoints, type RelayerTypedData, typedDataDigest } from '../../src/protocol/index.ts';
import { ownerSignature } from '../../src/receipts/recoverSigner.ts';

export const token = (tokenId: number, symbol: string, decimals: number): TokenFacts => ({
  tokenId,
  symbol,
  name: symbol,
  address: `0x${String(tokenId).padStart(40, '0')}`,
  decimals,
});
export const tokens = [token(0, 'ETH', 18), token(1, 'LRC', 18), token(2, 'USDT', 6), token(100, 'LP-LRC-ETH', 18)];
export const now = 1_800_000_000;
export const DAY = 86_400;

const l1 = privateKeyToAccount(`0x${'7'.repeat(64)}`);
const signer = createSigner(new Uint8Array(32).fill(3));
export const OWNER = l1.address;
export const FRIEND = '0x1111111111111111111111111111111111111111';
export const ACCOUNT_ID = 10005;

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

/** An answer of the relayer to each endpoint that the test lets be asked; `null` where it knows no such thing. */
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

/** Facts over fixed answers, each of which has to fit the endpoint's own schema. */
export function factsWith(
  given: Answers = {},
  known: readonly KnownAddress[] = [],
  orders: readonly string[] = [],
): Facts {
  const answers: Answers = { getBalances: () => plenty, ...given };
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
    account: { accountId: ACCOUNT_ID, owner: OWNER },
    async token(tokenId, field) {
      const found = tokens.find((candidate) => candidate.tokenId === tokenId);
      if (!found) throw new IntentError(field, `the relayer lists no token ${tokenId}`);
      return found;
    },
    market: async (a, b) => ([a, b].includes(1) && [a, b].includes(0) ? { baseTokenId: 1, quoteTokenId: 0 } : null),
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

/** First issue of a refused intent as `field: rule`. */
export function issueOf(operation: AnyOperation, intent: unknown): string | undefined {
  const issue = operation.intent.safeParse(intent).error?.issues[0];
  if (!issue) return undefined;
  const names = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys] : issue.path;
  return `${names.join('.')}: ${issue.message}`;
}

/** The error of `prepare`, as text. */
export const refusalOf = async (operation: AnyOperation, intent: unknown, facts: Facts): Promise<string> => {
  try {
    await operation.prepare(operation.intent.parse(intent), facts);
  } catch (error) {
    if (error instanceof IntentError) return error.message;
    throw error;
  }
  return 'accepted';
};

/** Labels of the rows with their values. */
export const rowsOf = ({ rows }: Review) => Object.fromEntries(rows.map(({ label, value }) => [label.key, value]));
export const rulesOf = ({ warnings }: Review) => warnings.map(({ rule }) => rule);

/** Changes one leaf of a body into another value of its kind. */
export function changed<Body>(body: Body, path: string): Body {
  const copy = structuredClone(body) as Record<string, never>;
  const names = path.split('.');
  const last = names.pop() as string;
  const holder = names.reduce<Record<string, never>>((at, name) => at[name] as never, copy);
  const value = holder[last] as unknown;
  const next =
    typeof value === 'boolean'
      ? !value
      : typeof value === 'number'
        ? value + 2
        : /^0x[0-9a-f]+$/i.test(String(value))
          ? `${String(value).slice(0, -1)}${String(value).endsWith('1') ? '2' : '1'}`
          : /^[0-9]+$/.test(String(value))
            ? `1${value}`
            : `${value}x`;
  holder[last] = next as never;
  return copy as Body;
}

/**
 * Every field that is sent stands in exactly one of bound and unbound, and changing it changes what is signed exactly when
 * it stands in bound.
 * @param signed - Everything that is signed of a request, as texts.
 * @returns The unbound paths.
 */
export function expectSplitByHash<Body extends object>(
  { bound, unbound }: Review,
  request: Body,
  signed: (request: Body) => readonly string[],
): string[] {
  const before = signed(request).join();
  const differs = (path: string) => {
    try {
      return signed(changed(request, path)).join() !== before;
    } catch {
      // What the hash refuses to take is not signed in another way.
      return true;
    }
  };
  const paths = [...bound, ...unbound].map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  for (const { path } of bound) expect([path, differs(path)]).toEqual([path, true]);
  for (const { path } of unbound) expect([path, differs(path)]).toEqual([path, false]);
  return unbound.map(({ path }) => path).sort();
}

/** The body as it would be sent, accepted by the endpoint's own schema. */
export function sentBody(signed: SignedRequest): Record<string, unknown> {
  const sent = JSON.parse(signed.bodyText ?? '');
  const { endpoint } = signed;
  if (endpoint !== 'none') expect(endpoints[endpoint].body.safeParse(sent).error).toBeUndefined();
  return sent;
}
