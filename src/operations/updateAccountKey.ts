import {
  accountUpdateBoundFields,
  accountUpdateIdentifier,
  accountUpdateTypedData,
  address,
  bodyText,
  type EndpointAnswer,
  type EndpointBody,
  erc20TokenId,
  feeRequestTypes,
  formatHash,
} from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { fillableStatuses } from '../protocol/states.ts';
import { z } from '../protocol/zod.ts';
import { PAGE } from './everyRow.ts';
import { keyUpdateExecution } from './execution.ts';
import type { Fees } from './feeBounds.ts';
import { type FeeQuote, feeFrom, feeRow } from './fees.ts';
import { ownerDeadline } from './intentFields.ts';
import {
  ChoiceNeeded,
  type Facts,
  FactsChanged,
  IntentError,
  type NewKey,
  type Operation,
  splitFields,
} from './operation.ts';
import { counterFactual } from './ownerApproval.ts';
import type { ReviewRow } from './review.ts';
import { blockOfRow, EXPIRY_GRACE_SECONDS, rowOf, type Settlement } from './settlement.ts';
import { warningsOf } from './warnings.ts';

type RelayerAccount = EndpointAnswer<'getAccount'>;
type Point = { readonly x: string; readonly y: string };

/** The empty texts of an account without a key are zero, which no key is. */
const isSame = (a: Point, b: Point) => BigInt(a.x) === BigInt(b.x) && BigInt(a.y) === BigInt(b.y);

/**
 * Settlement of a key registration: done when the relayer reports the new public key, whatever its
 * acknowledgement says. A nonce that another key has used, or the end of the request's time by the
 * relayer's clock and this machine's, ends it the other way.
 */
const settle: Settlement = {
  reportsHash: false,
  outcomeOf: (ack) => ({ state: 'open', ack }),
  async find({ accountId, body }, reads) {
    const asked = body as unknown as Body;
    const end = asked.validUntil + EXPIRY_GRACE_SECONDS;
    // Both clocks, and before the account is read: what the relayer takes until its own end is seen
    // below.
    const hasExpired = reads.now > end && (await reads.read('getTimestamp', {})).timestamp > end * 1000;
    const account = await reads.read('getAccount', { query: { accountId } });
    if (account.owner.toLowerCase() !== asked.owner.toLowerCase()) return null;
    if (isSame(account.publicKey, asked.publicKey)) return { state: 'processed', ack: { status: 'processed' } };
    if (account.nonce > asked.nonce)
      return { state: 'failed', ack: {}, note: `nonce ${asked.nonce} was used by another key` };
    if (!account.frozen && hasExpired)
      return { state: 'expired', ack: {}, note: 'another key is registered after the end of its time' };
    return null;
  },
  async blocks({ accountId, hash }, reads) {
    if (hash === null) return blockOfRow(undefined);
    const { transactions } = await reads.read('getUserTransactions', { query: { accountId, hashes: hash } });
    return blockOfRow(rowOf(transactions, hash));
  },
};

const intent = once(() =>
  z.strictObject({
    /** Owner address of one of the accounts that the page sees; the first one when absent. */
    account: z.optional(address()),
    /** Token that pays the quoted fee; when absent, the first whose balance covers it. */
    feeTokenId: z.optional(erc20TokenId()),
  }),
);

export type UpdateAccountKeyIntent = z.output<ReturnType<typeof intent>>;

type Body = Omit<
  EndpointBody<'updateAccount'>,
  'eddsaSignature' | 'ecdsaSignature' | 'hashApproved' | 'recommenderAccountId' | 'keySeed'
> & { readonly keySeed: string };

interface Shown {
  readonly fee: FeeQuote;
  readonly kind: NewKey['kind'];
  /** The key that ends; `null` while the account has none. */
  readonly oldKey: Point | null;
  /** Open orders that end with it; `null`: the relayer could not be asked. */
  readonly openOrders: number | null;
}

const hex = (value: string) => ({ kind: 'hex', hex: value }) as const;

/** The key that is replaced, and the orders that it signed. */
const endsWith = (oldKey: Point, openOrders: number | null): ReviewRow[] => [
  { label: { key: 'review_oldKey' }, value: hex(oldKey.x) },
  {
    label: { key: 'review_ordersThatEnd' },
    value:
      openOrders === null ? { kind: 'message', key: 'review_ordersUnknown' } : { kind: 'integer', value: openOrders },
  },
];

const requestType = feeRequestTypes.ACCOUNT_UPDATE;

/**
 * The relayer's quote for a new key; where that needs an API key, which no account has without a
 * key, the fee that everybody is told.
 */
export const keyFee = async (facts: Facts): Promise<Fees> =>
  (await facts.find('getOffchainFee', { query: { accountId: facts.account.accountId, requestType } }, [
    'API_KEY_EMPTY',
  ])) ?? { fees: (await facts.read('getExchangeInfo', {})).updateFees ?? [] };

const hasKey = ({ publicKey: { x } }: RelayerAccount) => BigInt(x) !== 0n;

/**
 * Replaces the account key. A page can ask for it; which key it is, how it is kept and what
 * is paid is decided in the wallet's own pages.
 */
export const updateAccountKey: Operation<UpdateAccountKeyIntent, Body, Shown> = {
  name: 'updateAccountKey',
  method: 'relayer_updateAccountKey',
  permission: 'key',
  group: 'keys',
  permissionFirst: true,
  changesKey: true,
  shownBy: 'wizard',
  ownerApproves: true,
  intent,
  settle,
  executedAs: keyUpdateExecution,
  confirm: 'password',
  fee: ({ maxFee }) => ({ requestType, ...maxFee }),
  reapproveOn: ['NONCE_INVALID'],

  async prepare({ feeTokenId }, facts) {
    const { accountId, owner } = facts.account;
    const { newKey } = facts;
    if (!newKey) throw new ChoiceNeeded('the new key');
    const account = await facts.read('getAccount', { query: { accountId } });
    if (account.owner.toLowerCase() !== owner.toLowerCase())
      throw new IntentError('account', 'belongs to another owner at the relayer');
    // A derived key is the key of one nonce; for another the text to sign is another.
    if (newKey.kind === 'derived' && newKey.nonce !== account.nonce) throw new ChoiceNeeded('the new key');
    if (isSame(account.publicKey, newKey.publicKey)) throw new IntentError('publicKey', 'is registered already');
    const fee = await feeFrom(await keyFee(facts), { feeTokenId }, { requestType }, facts);
    const orders = await facts.recent('getOrders', { query: { accountId, status: fillableStatuses, limit: PAGE } }, 0);
    return {
      body: {
        exchange: facts.exchangeAddress,
        owner,
        accountId,
        publicKey: newKey.publicKey,
        maxFee: { tokenId: fee.token.tokenId, volume: fee.volume },
        validUntil: await ownerDeadline(undefined, facts),
        nonce: account.nonce,
        keySeed: newKey.keySeed,
        ...counterFactual(facts),
      },
      shown: {
        fee,
        kind: newKey.kind,
        oldKey: hasKey(account) ? account.publicKey : null,
        openOrders: orders && Math.max(orders.orders.length, orders.totalNum),
      },
    };
  },

  review({ body, shown }, now) {
    const { fee, kind, oldKey, openOrders } = shown;
    const rows: ReviewRow[] = [
      { label: { key: 'review_newKey' }, value: hex(body.publicKey.x), note: { key: `newKeyNote_${kind}` } },
      ...(oldKey === null ? [] : endsWith(oldKey, openOrders)),
      feeRow(fee),
      { label: { key: 'review_expires' }, value: { kind: 'time', seconds: body.validUntil } },
      { label: { key: 'review_nonce' }, value: { kind: 'integer', value: body.nonce } },
    ];
    return {
      sentence: {
        key: oldKey === null ? 'review_firstKey' : 'review_updateAccountKey',
        values: { account: { kind: 'integer', value: body.accountId } },
      },
      rows,
      warnings: warningsOf({
        now,
        request: { validUntil: body.validUntil },
        fee,
        changesKey: true,
        ...(oldKey === null ? {} : { ordersThatEnd: openOrders }),
        keyIsRandom: kind === 'random',
      }),
      // The owner stands in the typed data that the L1 key signs.
      ...splitFields(body, [...accountUpdateBoundFields, 'owner']),
    };
  },

  storageSlot: () => null,

  async recheck({ body }, reads) {
    const { nonce } = await reads.read('getAccount', { query: { accountId: body.accountId } });
    if (nonce !== body.nonce)
      throw new FactsChanged(`The account's nonce is ${nonce}, not ${body.nonce} any more.`, {
        key: 'problem_nonceChanged',
      });
  },

  async sign({ body }, _storageId, { chainId }, keys) {
    // A key that is registered and not kept would leave the account without one.
    if (!(await keys.holdsNewKey(body.publicKey))) throw new Error('the new key is not in the vault');
    const hash = formatHash(accountUpdateIdentifier(body));
    const approval = await keys.approveByOwner(accountUpdateTypedData(chainId, body));
    return {
      endpoint: 'updateAccount',
      bodyText: bodyText({ ...body, ...approval.fields }),
      ...approval.header,
      hash,
    };
  },

  result: ({ body }) => ({ publicKey: (body as unknown as Body).publicKey }),
};
