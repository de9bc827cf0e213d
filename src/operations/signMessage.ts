import { hexToBytes } from '@noble/hashes/utils.js';
import { personalMessageDigest } from '../ethereum/personalMessage.ts';
import { bodyText } from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { z } from '../protocol/zod.ts';
import {
  handedOver,
  hidesCharacters,
  LONGEST_DOCUMENT,
  refuseKeySeed,
  refuseSeed,
  signerField,
  signerRow,
  signInHost,
} from './foreignSignature.ts';
import { IntentError, type Operation, splitFields } from './operation.ts';
import { warningsOf } from './warnings.ts';

/**
 * A digest has this many bytes, and the exchange takes a signed digest for the request behind it.
 */
const DIGEST_BYTES = 32;

const intent = once(() =>
  z.strictObject({
    account: signerField(),
    /** UTF-8 bytes of the text. */
    message: z
      .string()
      .check(
        z.maxLength(2 + 2 * LONGEST_DOCUMENT, `has more than ${LONGEST_DOCUMENT} bytes`),
        z.regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'is not 0x and whole bytes'),
      ),
  }),
);

export type SignMessageIntent = z.output<ReturnType<typeof intent>>;

interface Body {
  /** Owner of the account, whose L1 key signs. */
  readonly owner: string;
  readonly message: string;
}

interface Shown {
  /** Host that asks. */
  readonly host: string;
}

/**
 * The text of a message, when it can be shown whole and is none that opens an exchange.
 * @throws {IntentError}
 */
export function messageText(message: string, exchanges: readonly string[]): string {
  const bytes = hexToBytes(message.slice(2));
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new IntentError('message', 'is no text; what cannot be shown is not signed');
  }
  if (text === '') throw new IntentError('message', 'is empty');
  if (bytes.length === DIGEST_BYTES)
    throw new IntentError('message', 'has the 32 bytes of a digest, which could stand for anything');
  if (text.length > LONGEST_DOCUMENT) throw new IntentError('message', `has more than ${LONGEST_DOCUMENT} characters`);
  refuseSeed('message', [text], exchanges);
  return text;
}

/** Signs a readable text with the layer-1 key for the site (EIP-191, `personal_sign`). */
export const signMessage: Operation<SignMessageIntent, Body, Shown> = {
  name: 'signMessage',
  method: 'personal_sign',
  permission: 'sign',
  group: 'texts',
  ownerApproves: true,
  intent,
  settle: handedOver,
  answer: ({ signedBody }) => signedBody.signature,

  async prepare({ message }, facts) {
    const text = messageText(message, await facts.exchanges());
    await refuseKeySeed('message', text, facts);
    return { body: { owner: facts.account.owner, message: text }, shown: { host: new URL(facts.origin).host } };
  },

  review({ body, shown }, now) {
    const named = signInHost(body.message);
    return {
      sentence: { key: named === null ? 'review_signMessage' : 'review_signIn' },
      rows: [
        { label: { key: 'review_message' }, value: { kind: 'document', text: body.message } },
        signerRow(body.owner),
      ],
      warnings: warningsOf({
        now,
        text: { hides: hidesCharacters(body.message), signsInElsewhere: named !== null && named !== shown.host },
      }),
      ...splitFields(body, ['owner', 'message']),
    };
  },

  storageSlot: () => null,

  async sign({ body }, _storageId, _facts, keys) {
    return {
      endpoint: 'none',
      bodyText: bodyText({ signature: await keys.signText(body.message) }),
      hash: personalMessageDigest(body.message),
    };
  },
};
