import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import english from '../../public/texts/en.json' with { type: 'json' };
import { parseSignature } from '../../src/crypto/index.ts';
import { type AnyOperation, type OperationName, operations } from '../../src/operations/index.ts';
import { type Draft, type Keys, leafFields } from '../../src/operations/operation.ts';
import { bodyText, endpoints, typedDataDigest } from '../../src/protocol/index.ts';
import { changed, factsWith, now } from './support.ts';

type AnyDraft = Draft<object, object>;

import { cases, hash, STORAGE_ID } from './everyCase.ts';

const RUNS = 12;

/** Keys that write down what they are asked to sign. */
function recorder() {
  const messages: string[] = [];
  const keys: Keys = {
    async signEddsa(message) {
      messages.push(`eddsa ${message}`);
      return signature;
    },
    async signTypedData(typedData) {
      messages.push(`owner ${typedDataDigest(typedData as never)}`);
      return `0x${'1'.repeat(130)}`;
    },
    async approveByOwner(typedData) {
      messages.push(`owner ${typedDataDigest(typedData as never)}`);
      return { fields: { ecdsaSignature: `0x${'1'.repeat(130)}` }, header: { signature: `0x${'1'.repeat(130)}` } };
    },
    holdsNewKey: async () => true,
    async signText(signed) {
      messages.push(`text ${signed}`);
      return `0x${'1'.repeat(130)}`;
    },
  };
  return { keys, messages };
}

const signature = parseSignature(`0x${'01'.repeat(96)}`);
const { baseUrl, chainId } = factsWith({});

async function signedBy(operation: AnyOperation, draft: AnyDraft, count = Number.POSITIVE_INFINITY) {
  const { keys, messages } = recorder();
  const slot = operation.storageSlot(draft);
  const storageId = slot && (slot.parity === 'order' ? STORAGE_ID : STORAGE_ID + 1);
  const request = await operation.sign(draft, storageId, { baseUrl, chainId }, keys);
  return { request, storageId, messages: messages.slice(0, count) };
}

/** The draft of a question with one request, or of each of its requests in turn. */
function requestsOf(operation: AnyOperation, draft: AnyDraft): AnyDraft[] {
  const next = operation.alternatives?.next(draft) ?? null;
  return next === null ? [draft] : [draft, ...requestsOf(operation, next)];
}

const everyOperation = Object.keys(operations) as OperationName[];

describe.each(everyOperation)('%s', (name) => {
  const operation: AnyOperation = operations[name];
  const { intent, facts, messages, signer = '', whole = [] } = cases[name];
  const forDrafts = (holds: (draft: AnyDraft) => Promise<void>) =>
    fc.assert(
      fc.asyncProperty(intent, async (asked) => {
        await holds((await operation.prepare(operation.intent().parse(asked), facts)) as AnyDraft);
      }),
      { numRuns: RUNS },
    );

  test('a draft that was stored is the draft that was made, and is drawn the same', () =>
    forDrafts(async (draft) => {
      const stored = JSON.parse(JSON.stringify(draft)) as AnyDraft;
      expect(stored).toEqual(draft);
      expect(operation.review(stored, now)).toEqual(operation.review(draft, now));
    }));

  test.runIf(operation.placesOrder)('its details say that a fill may be rounded', () =>
    forDrafts(async (draft) => {
      const notes = operation.review(draft, now).rows.flatMap(({ detail, note }) => (detail && note ? [note.key] : []));
      const texts = notes.map((key) => english[key as keyof typeof english]);
      expect(texts.join(' ')).toContain('The exchange may also round each fill by up to 0.1% against you.');
    }),
  );

  test('what is sent decodes to the draft with its storage id, and encodes to the same bytes', () =>
    forDrafts(async (draft) => {
      const { request, storageId } = await signedBy(operation, draft);
      const { endpoint, bodyText: sent, query } = request;
      if (endpoint === 'none' && storageId === null) return;
      if (query !== undefined) {
        expect(query).toEqual(draft.body);
        return;
      }
      const decoded = JSON.parse(sent ?? '') as Record<string, unknown>;
      expect(bodyText(decoded)).toBe(sent);
      if (endpoint !== 'none') expect(endpoints[endpoint].body.safeParse(decoded).error).toBeUndefined();
      const isAdded = (path: string) => /(^|\.)(storageId|storageIds\.\d|eddsaSignature|ecdsaSignature)$/.test(path);
      expect(
        leafFields(decoded)
          .filter(({ path }) => !isAdded(path))
          .sort(byPath),
      ).toEqual(leafFields(draft.body).sort(byPath));
      if (storageId !== null) {
        const added = leafFields(decoded).filter(({ path }) => /(^|\.)(storageId|storageIds\.\d)$/.test(path));
        const tokens = operation.storageSlot(draft)?.alsoOf === undefined ? 1 : 2;
        expect(added.map(({ value }) => value)).toEqual(Array(tokens).fill(String(storageId)));
      }
    }));

  test('every field of the body is bound or unbound, and bound exactly when the signatures depend on it', () =>
    forDrafts(async (draft) => {
      const { bound, unbound } = operation.review(draft, now);
      const named = [...bound, ...unbound].map(({ path }) => path);
      expect(new Set(named).size).toBe(named.length);
      const all: string[] = [];
      for (const [index, one] of requestsOf(operation, draft).entries()) {
        const before = (await signedBy(operation, one, messages)).messages.join();
        for (const { path } of leafFields(one.body)) {
          const shown = index === 0 ? path : `${index + 1}.${path}`;
          all.push(shown);
          if (whole.some((part) => path === part || path.startsWith(`${part}.`))) continue;
          if (path === signer) {
            expect(bound.map((field) => field.path)).toContain(path);
            continue;
          }
          const isBound = bound.some((field) => field.path === shown);
          let after: string;
          try {
            const flipped = { ...one, body: changed(one.body, path) };
            after = (await signedBy(operation, flipped, messages)).messages.join();
          } catch (error) {
            // What the hash refuses to take is not signed in another way.
            expect(error).not.toBeInstanceOf(TypeError);
            after = 'refused';
          }
          expect([shown, after !== before]).toEqual([shown, isBound]);
        }
      }
      expect(all.sort()).toEqual(named.sort());
    }));
});

const byPath = (a: { readonly path: string }, b: { readonly path: string }) => (a.path < b.path ? -1 : 1);

test.each(everyOperation)('%s refuses a field that its intent does not have', (name) => {
  const operation: AnyOperation = operations[name];
  fc.assert(
    fc.property(cases[name].intent, hash, (asked, value) => {
      const issues = operation.intent().safeParse({ ...asked, hashToSign: value }).error?.issues ?? [];
      expect(issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))).toEqual(['hashToSign']);
    }),
    { numRuns: 3 },
  );
});
