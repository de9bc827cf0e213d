import { isSameAddress, looksLike } from '../ethereum/address.ts';
import { FIRST_UPDATE_PAID, Float24, isContractCode, roundToFloat } from '../protocol/index.ts';
import type { Facts, KnownAddress } from './operation.ts';
import type { Reads } from './reads.ts';
import type { ReviewRow, Text, Value } from './review.ts';
import type { Recipient } from './warningFacts.ts';

/** Known from the user and from what this wallet signed, not from the relayer alone. */
const isTrusted = ({ source }: KnownAddress) => source !== 'broker' && source !== 'history';

/**
 * The known address, brokers apart, that another could be taken for. The relayer's history counts
 * for an address alone that the user does not know: it must not turn them away from one they do.
 */
export function lookalikeOf(address: string, all: readonly KnownAddress[]) {
  const isKnown = all.some((entry) => isTrusted(entry) && isSameAddress(entry.address, address));
  return all.find(
    (entry) => (isTrusted(entry) || (entry.source === 'history' && !isKnown)) && looksLike(entry.address, address),
  );
}

/** The same as facts of a draft. */
export type Lookalike = Pick<Recipient, 'looksLike' | 'looksLikeLabel' | 'looksLikeListed'>;

export function likeOf(address: string, all: readonly KnownAddress[]): Lookalike {
  const like = lookalikeOf(address, all);
  if (!like) return {};
  return {
    looksLike: like.address,
    ...(like.label === undefined ? {} : { looksLikeLabel: like.label }),
    ...(like.source === 'history' ? { looksLikeListed: true } : {}),
  };
}

/**
 * Gives the wallet's facts about a receiving address.
 * @param onLayer1 - It receives there, so that earlier withdrawals make it a known one.
 */
export async function recipientOf(address: string, facts: Facts, onLayer1 = false): Promise<Recipient> {
  const all = await facts.knownAddresses();
  const isHere = (entry: KnownAddress) => isSameAddress(entry.address, address);
  const same = all.filter((entry) => isTrusted(entry) && isHere(entry));
  const named = same.find((entry) => entry.label !== undefined);
  return {
    address,
    known: same.some(({ source }) => onLayer1 || source !== 'withdrawn'),
    ...(all.some((entry) => isHere(entry) && entry.accountId === facts.account.accountId) ? { isPaid: true } : {}),
    ...(named?.label === undefined ? {} : { label: named.label, isOwn: named.source === 'own' }),
    ...likeOf(address, all),
  };
}

/**
 * The same, and the account that the relayer knows there, or `null`; without one, whether a
 * contract stands there.
 */
export async function payeeOf(address: string, facts: Facts) {
  const account = await facts.find('getAccount', { query: { owner: address } }, [
    'ADDRESS_NOT_FOUND',
    'ACCOUNT_NOT_FOUND',
  ]);
  const recipient: Recipient = {
    ...(await recipientOf(address, facts)),
    hasAccount: account !== null,
    ...(account === null ? { isContract: await isContract(address, facts) } : {}),
  };
  return { recipient, account };
}

/** What moves of a signed amount, where a block cannot hold all its digits. */
export function roundedRows(sent: Extract<Value, { kind: 'amount' }>, label = 'review_arrives'): ReviewRow[] {
  const volume = roundToFloat(BigInt(sent.volume), Float24).toString();
  if (volume === sent.volume) return [];
  return [
    {
      label: { key: label },
      value: { ...sent, volume, least: true },
      note: { key: 'review_rounded' },
    },
  ];
}

/** Effects of a transfer beside the move: the activation that it pays, and its memo. */
export const extraRows = (body: { readonly payPayeeUpdateAccount?: unknown; readonly memo?: string | undefined }) => {
  const rows: ReviewRow[] = [];
  if (body.payPayeeUpdateAccount)
    rows.push({
      label: { key: 'review_activation' },
      value: { kind: 'message', key: 'review_activationPaid' },
      unsigned: true,
    });
  if (body.memo)
    rows.push({
      label: { key: 'review_memo' },
      value: { kind: 'document', text: body.memo },
      note: { key: 'review_memoNote' },
    });
  return rows;
};

/**
 * Whether somebody may pay the first key registration of a receiver: it has no key, and nobody has
 * paid for one.
 */
export const needsActivation = (account: { readonly nonce: number; readonly tags?: string | undefined } | null) =>
  !account || (account.nonce === 0 && !account.tags?.split(',').includes(FIRST_UPDATE_PAID));

/**
 * An address with its name, or with a word on whether it is known; below it the known one that it
 * could be taken for.
 * @param note - Stands in place of the word on an address without a name.
 */
export function recipientRow(recipient: Recipient, label = 'review_recipient', note?: Text): ReviewRow[] {
  const { address } = recipient;
  const row: ReviewRow = {
    label: { key: label },
    note: (recipient.label === undefined && note) || recipientNote(recipient),
    ...(label === 'review_recipient'
      ? { value: { kind: 'address', address }, emphasis: 'recipient' }
      : { value: { kind: 'address', address, whole: true } }),
  };
  return [row, ...likeRows(recipient)];
}

/** The known address that another could be taken for. */
export const likeRows = ({ looksLike, looksLikeLabel }: Lookalike): ReviewRow[] =>
  looksLike === undefined ? [] : [contractRow('review_looksLike', looksLike, { bookName: looksLikeLabel }, true)];

/** The address book's name of an address that is no receiver, such as a pool or an NFT contract. */
export interface BookName {
  readonly bookName?: string | undefined;
}

export async function bookNameOf(address: string, facts: Pick<Facts, 'knownAddresses'>): Promise<BookName> {
  const known = await facts.knownAddresses();
  const bookName = known.find(
    (entry) => entry.source === 'book' && entry.address.toLowerCase() === address.toLowerCase(),
  )?.label;
  return bookName === undefined ? {} : { bookName };
}

/**
 * An address that is no receiver, with its name in the address book.
 * @param whole - With all its digits.
 */
export const contractRow = (label: string, address: string, { bookName }: BookName, whole?: true): ReviewRow => ({
  label: { key: label },
  value: { kind: 'address', address, ...(whole ? { whole } : {}) },
  ...(bookName === undefined ? {} : { note: named('review_recipientBook', bookName) }),
});

const named = (key: string, name: string): Text => ({ key, values: { name: { kind: 'text', text: name } } });

function recipientNote({ label, isOwn, known }: Recipient): Text {
  if (label !== undefined) return named(isOwn ? 'review_recipientOwn' : 'review_recipientBook', label);
  return { key: known ? 'review_recipientKnown' : 'review_recipientFirst' };
}

/** Whether a contract stands at an L1 address; `null` when the relayer's L1 node cannot tell. */
export async function isContract(address: string, reads: Reads): Promise<boolean | null> {
  const code = await reads.find('getCode', { body: { address } }, ['L1_NODE_ERROR']);
  return code && isContractCode(code.result);
}
