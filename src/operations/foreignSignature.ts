import {
  address,
  EXCHANGE_DOMAIN_NAME,
  isKeySeed,
  isKeySeedLike,
  type TypedDataDocument,
  typedDataTypes,
} from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { type Facts, IntentError } from './operation.ts';
import type { ReviewRow } from './review.ts';
import type { Settlement } from './settlement.ts';

/** Longest text or document of a site that is put to a user, in characters. */
export const LONGEST_DOCUMENT = 20_000;

/** The account whose layer-1 key signs; sites name it, as EIP-1193's methods have it. */
export const signerField = once(() => address());

/** A signature that goes to the page and nowhere else: over as soon as it is there. */
export const handedOver: Settlement = {
  reportsHash: false,
  outcomeOf: (ack) => ({ state: 'processed', ack }),
  find: async () => ({ state: 'processed', ack: {} }),
};

const SEED_RULE =
  'reads like a text that account keys are made from, or names an exchange of this wallet; no site gets it signed';

/**
 * The guard before each signature that a site words itself.
 * @param exchanges - Exchange addresses of all configured networks.
 * @throws {IntentError}
 */
export function refuseSeed(field: string, texts: readonly string[], exchanges: readonly string[]): void {
  if ([texts.join(' '), ...texts].some((text) => isKeySeedLike(text, exchanges)))
    throw new IntentError(field, SEED_RULE);
}

/**
 * The guard for the key texts of other clients, which may read like anything. Only a text can be
 * one, not typed data: what is hashed of the two begins differently.
 * @throws {IntentError} and what a relayer throws that cannot be asked.
 */
export async function refuseKeySeed(field: string, text: string, facts: Facts): Promise<void> {
  const { accountId } = facts.account;
  const account = await facts.find('getAccount', { query: { accountId } }, ['ADDRESS_NOT_FOUND', 'ACCOUNT_NOT_FOUND']);
  const seeds = [...(await facts.keySeeds()), account?.keySeed ?? ''];
  // An empty one stands for the protocol's own text. A longer one than any text cannot be it.
  const named = seeds.filter(({ length }) => length > 0 && length <= LONGEST_DOCUMENT);
  if (isKeySeed(text, named)) throw new IntentError(field, SEED_RULE);
}

/**
 * Typed data that would move something at an exchange, or replace a key there: those come from
 * operations alone, which show what they mean. Recognised by the domain, and by the structs, which
 * pools and forks share under names of their own.
 * @throws {IntentError}
 */
export function refuseExchangeDocument(typed: TypedDataDocument, exchanges: readonly string[]): void {
  const { name, verifyingContract } = typed.domain as { name?: string; verifyingContract?: string };
  if (name?.normalize('NFKC').trim().toLowerCase() === EXCHANGE_DOMAIN_NAME.toLowerCase())
    throw new IntentError('domain.name', 'is that of an exchange; ask with the relayer_ methods');
  if (exchanges.some((exchange) => exchange.toLowerCase() === verifyingContract?.toLowerCase()))
    throw new IntentError('domain.verifyingContract', 'is an exchange of this wallet; ask with the relayer_ methods');
  const members = JSON.stringify(typed.types[typed.primaryType]);
  if (Object.values(typedDataTypes).some((known) => JSON.stringify(known) === members))
    throw new IntentError('primaryType', 'is a request of the exchange protocol; ask with the relayer_ methods');
  refuseSeed(
    'message',
    typed.leaves.map(({ value }) => value),
    exchanges,
  );
}

/**
 * Domain of a text by which a site signs people in: EIP-4361, whose scheme may be in capitals, also
 * behind blanks that a server cuts off, with the full stop of web3-token, or with another name of
 * the chain (CAIP-122, Reown AppKit).
 */
const signIn = /^\s*(?:[a-z][a-z0-9+.-]*:\/\/)?([^\s/]+) wants you to sign in with your [^\n]{1,40} account[:.]/i;

/** Host that a sign-in text names; `null` when it is none. */
export const signInHost = (text: string): string | null => signIn.exec(text)?.[1]?.toLowerCase() ?? null;

/**
 * Characters that are drawn as nothing or turn the reading direction; line ends, tabs and the
 * selector that colours a picture or a key are neither.
 */
export const hidesCharacters = (text: string) =>
  /[^\P{C}\n\r\t]|(?<!\p{ExtPict}(?=\ufe0f)|[0-9#*](?=\ufe0f\u20e3))\p{DI}/u.test(text);

export const signerRow = (owner: string): ReviewRow => ({
  label: { key: 'review_signedBy' },
  value: { kind: 'address', address: owner },
});
