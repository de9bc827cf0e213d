import {
  bodyText,
  readTypedData,
  type TypedDataDocument,
  TypedDataError,
  type TypedLeaf,
  typedDataDigest,
} from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { z } from '../protocol/zod.ts';
import {
  handedOver,
  hidesCharacters,
  LONGEST_DOCUMENT,
  refuseExchangeDocument,
  signerField,
  signerRow,
} from './foreignSignature.ts';
import { gravesOf } from './graveDocuments.ts';
import { IntentError, type Operation, splitFields } from './operation.ts';
import type { ReviewRow, Value } from './review.ts';
import { warningsOf } from './warnings.ts';

const intent = once(() =>
  z.strictObject({
    account: signerField(),
    /** JSON text of the document. */
    typedData: z.string().check(z.maxLength(LONGEST_DOCUMENT, `has more than ${LONGEST_DOCUMENT} characters`)),
  }),
);

export type SignTypedDataIntent = z.output<ReturnType<typeof intent>>;

interface Body {
  /** Owner of the account, whose L1 key signs. */
  readonly owner: string;
  readonly domain: object;
  readonly primaryType: string;
  readonly types: TypedDataDocument['types'];
  readonly message: TypedDataDocument['message'];
}

interface Shown {
  readonly leaves: readonly TypedLeaf[];
}

/**
 * The document, when it is well-formed, for the site's chain, and none of an exchange.
 * @throws {IntentError}
 */
export function typedDataOf(text: string, chainId: number, exchanges: readonly string[]): TypedDataDocument {
  let typed: TypedDataDocument;
  try {
    typed = readTypedData(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new IntentError('typedData', 'is no JSON');
    if (!(error instanceof TypedDataError)) throw error;
    throw new IntentError(error.field, error.message.slice(error.field.length + 2));
  }
  const { chainId: named } = typed.domain as { chainId?: string };
  if (named !== undefined && named !== String(chainId))
    throw new IntentError('domain.chainId', `is ${named}, and this site is on ${chainId}`);
  refuseExchangeDocument(typed, exchanges);
  return typed;
}

function leafValue({ type, value }: TypedLeaf): Value {
  if (type === 'address') return { kind: 'address', address: value, whole: true };
  if (type.startsWith('bytes') && value.length > 2) return { kind: 'document', text: value };
  return type === 'string' ? { kind: 'document', text: value } : { kind: 'text', text: value };
}

const section = { key: 'review_domain' };

/**
 * The domain stands in a section of its own, where no member of the message can imitate it; what it
 * does not name is said.
 */
function domainRows(leaves: readonly TypedLeaf[]): ReviewRow[] {
  const leafOf = (name: string) => leaves.find(({ path }) => path === `domain.${name}`);
  const row = (key: string, name: string, always: boolean): ReviewRow[] => {
    const leaf = leafOf(name);
    if (!leaf && !always) return [];
    return [{ section, label: { key }, value: leaf ? leafValue(leaf) : { kind: 'message', key: 'review_domainNone' } }];
  };
  return [
    ...row('review_domainName', 'name', true),
    ...row('review_domainVersion', 'version', false),
    ...row('review_domainChain', 'chainId', true),
    ...row('review_domainContract', 'verifyingContract', true),
    ...row('review_domainSalt', 'salt', false),
  ];
}

/**
 * A path without `message.`, which stands before nearly all, unless what is left would read like a
 * part of the domain.
 */
const shownPath = (path: string): string => {
  const short = path.replace(/^message\./, '');
  return /^domain(\.|$)/i.test(short) ? path : short;
};

const leafRow = (leaf: TypedLeaf): ReviewRow => ({
  label: {
    key: 'review_typedField',
    values: {
      path: { kind: 'document', text: shownPath(leaf.path) },
      type: { kind: 'text', text: leaf.type },
    },
  },
  value: leafValue(leaf),
});

/**
 * Signs typed data with the layer-1 key for the site (EIP-712, `eth_signTypedData_v4`); never data
 * of an exchange.
 */
export const signTypedData: Operation<SignTypedDataIntent, Body, Shown> = {
  name: 'signTypedData',
  method: 'eth_signTypedData_v4',
  permission: 'sign',
  group: 'texts',
  ownerApproves: true,
  intent,
  settle: handedOver,
  answer: ({ signedBody }) => signedBody.signature,

  async prepare({ typedData }, facts) {
    const { leaves, ...typed } = typedDataOf(typedData, facts.chainId, await facts.exchanges());
    return { body: { owner: facts.account.owner, ...typed }, shown: { leaves } };
  },

  review({ body, shown }, now) {
    return {
      sentence: {
        key: 'review_signTypedData',
        values: { type: { kind: 'text', text: body.primaryType } },
      },
      rows: [
        ...domainRows(shown.leaves),
        ...shown.leaves.filter(({ path }) => path.startsWith('message.')).map(leafRow),
        signerRow(body.owner),
      ],
      warnings: warningsOf({
        now,
        text: {
          hides: shown.leaves.some(({ value }) => hidesCharacters(value)),
          graves: gravesOf({ ...body, leaves: shown.leaves }),
        },
      }),
      ...splitFields(body, ['owner', 'domain', 'primaryType', 'types', 'message']),
    };
  },

  storageSlot: () => null,

  async sign({ body }, _storageId, _facts, keys) {
    const { owner: _, ...typed } = body;
    return {
      endpoint: 'none',
      bodyText: bodyText({ signature: await keys.signTypedData(typed) }),
      hash: typedDataDigest(typed),
    };
  },
};
