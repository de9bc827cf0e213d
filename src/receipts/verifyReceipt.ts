import { hexToBytes } from '@noble/hashes/utils.js';
import { parseSignature, type Signature, verify } from '../crypto/index.ts';
import type { ReceiptCheck, ReceiptFinding } from '../messaging/views.ts';
import { approvalDigest } from '../operations/approvalDigest.ts';
import { reviewOf } from '../operations/askedAgain.ts';
import { canonicalJson } from '../operations/canonicalJson.ts';
import { findOperation, isOperation, operationNamed } from '../operations/index.ts';
import { type Keys, leafFields, type SignedRequest } from '../operations/operation.ts';
import type { Review, ReviewField } from '../operations/review.ts';
import { type TypedData, typedDataDigest } from '../protocol/index.ts';
import { checkBlocks } from './checkBlocks.ts';
import { type Receipt, receiptSchema } from './receipt.ts';
import { isTextSignature, ownerSignature } from './recoverSigner.ts';

const EDDSA = /^0x[0-9a-fA-F]{192}$/;
/** Stands where a signature is not kept; what is compared leaves it out. */
const ABSENT: Signature = { Rx: 0n, Ry: 0n, S: 0n };

type JsonObject = Record<string, unknown>;

/** All values of a field, at any depth, in their order. */
function valuesOf(value: unknown, name: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === name && typeof item === 'string' ? [item] : valuesOf(item, name),
  );
}

/** Values that an operation itself wrote into its draft; a document of a site may have the name. */
const namedIn = ({ operation, draft }: Receipt, name: 'exchange' | 'walletOwner'): string[] =>
  findOperation(operation)?.group === 'texts' ? [] : valuesOf(draft, name);

/** A receipt of a request that was signed. */
type Sent = Receipt & { readonly request: NonNullable<Receipt['request']> };

interface Replay {
  readonly remade: SignedRequest;
  readonly eddsa: ReceiptCheck['outcome'];
  readonly ecdsa: ReceiptCheck['outcome'];
}

/**
 * Lets the operation sign again, with keys that hand out the receipt's signatures after checking
 * them: whatever the operation hashes is thereby compared with what was signed, and the request
 * that comes out with the one that was sent.
 */
async function replay(receipt: Sent): Promise<Replay> {
  const { account, network, draft, shown, storageId, request } = receipt;
  const body: unknown = request.bodyText === undefined ? {} : JSON.parse(request.bodyText);
  const header = request.signature !== undefined && EDDSA.test(request.signature) ? [request.signature] : [];
  const eddsa = [...valuesOf(body, 'eddsaSignature'), ...header];
  // Requests call it `ecdsaSignature`, what is handed to a site `signature`.
  const ecdsa = [...valuesOf(body, 'ecdsaSignature'), ...valuesOf(body, 'signature')];
  const publicKey = { x: BigInt(account.publicKey.x), y: BigInt(account.publicKey.y) };
  const outcomes: { eddsa: ReceiptCheck['outcome'][]; ecdsa: ReceiptCheck['outcome'][] } = { eddsa: [], ecdsa: [] };
  const [walletOwner] = namedIn(receipt, 'walletOwner');
  async function signTypedData(typedData: TypedData): Promise<`0x${string}`> {
    const text = ecdsa.shift();
    const by = walletOwner ?? account.owner;
    const owned = text !== undefined && (await ownerSignature(typedDataDigest(typedData), text, by)) === text;
    // A wallet's owner says nothing about the wallet's own address, which is the account's owner.
    outcomes.ecdsa.push(owned && walletOwner !== undefined ? 'notKept' : holds(owned));
    return (text ?? '0x') as `0x${string}`;
  }
  const keys: Keys = {
    async signEddsa(message) {
      const text = eddsa.shift();
      if (text === undefined) {
        outcomes.eddsa.push('notKept');
        return ABSENT;
      }
      const signature = parseSignature(text);
      outcomes.eddsa.push(verify(signature, message, publicKey) ? 'holds' : 'fails');
      return signature;
    },
    signTypedData,
    async approveByOwner(typedData) {
      const [hashApproved] = valuesOf(body, 'hashApproved');
      if (hashApproved !== undefined) {
        // The approval itself stands on layer 1, and no receipt holds it.
        outcomes.ecdsa.push(hashApproved === typedDataDigest(typedData) ? 'notKept' : 'fails');
        return { fields: { hashApproved: hashApproved as `0x${string}` }, header: {} };
      }
      const ecdsaSignature = await signTypedData(typedData);
      return { fields: { ecdsaSignature }, header: { signature: ecdsaSignature } };
    },
    async signText(content) {
      const text = ecdsa.shift() ?? '0x';
      const isSignature = /^0x[0-9a-fA-F]{130}$/.test(text);
      const owned = isSignature && (await isTextSignature(content, hexToBytes(text.slice(2)), account.owner));
      outcomes.ecdsa.push(holds(owned));
      return text as `0x${string}`;
    },
    // A receipt does not say whether the wallet kept the key.
    holdsNewKey: async () => true,
  };
  const facts = { baseUrl: network.relayer, chainId: network.chainId };
  const remade = await operationNamed(receipt.operation).sign(
    { body: draft, shown: shown ?? {} },
    storageId,
    facts,
    keys,
  );
  const worst = (all: readonly ReceiptCheck['outcome'][]) =>
    (['fails', 'holds', 'notKept'] as const).find((outcome) => all.includes(outcome)) ?? 'none';
  // A signature that nobody asked for belongs to nothing that was checked.
  return {
    remade,
    eddsa: eddsa.length > 0 ? 'fails' : worst(outcomes.eddsa),
    ecdsa: ecdsa.length > 0 ? 'fails' : worst(outcomes.ecdsa),
  };
}

const holds = (condition: boolean) => (condition ? 'holds' : 'fails') as ReceiptCheck['outcome'];

/**
 * The signature of a request header is another thing than the request, and is not kept for ever.
 */
const withoutHeader = ({ signature: _, ...request }: Sent['request']) => canonicalJson(request);

function blockCheck(receipt: Receipt, { blocks, missing }: NonNullable<Receipt['inclusion']>): ReceiptCheck {
  const fault = blocks.length === 0 ? null : checkBlocks(receipt, blocks).fault;
  const reason = fault ?? missing;
  const outcome = blocks.length === 0 ? 'none' : holds(fault === null);
  return { name: 'block', outcome, ...(reason === null ? {} : { reason }) };
}

function digestHolds({ requestId, operation, origin, account, draft, shown, network, digest }: Receipt): boolean {
  const asked = {
    id: requestId,
    kind: 'operation',
    origin,
    operation,
    account: account.id,
    draft: { body: draft, shown },
  };
  return approvalDigest(asked, network.exchange) === digest;
}

type Proof = Readonly<Record<'signed' | 'operation' | 'eddsa' | 'ecdsa' | 'header' | 'chain', boolean>>;
/** The signatures of a request that hold. */
type Held = Pick<Proof, 'eddsa' | 'ecdsa'>;

const NO_PROOF: Proof = { signed: false, operation: false, eddsa: false, ecdsa: false, header: false, chain: false };

/**
 * Whether a signature that holds fails for another receipt, so that it covers what differs there;
 * `undefined` where that receipt cannot be signed at all.
 */
async function isCovered(other: () => Sent, held: Held): Promise<boolean | undefined> {
  try {
    const { eddsa, ecdsa } = await replay(other());
    return (held.eddsa && eddsa === 'fails') || (held.ecdsa && ecdsa === 'fails');
  } catch {
    // The other value has no signable form: whatever stops it says nothing about this receipt.
    return undefined;
  }
}

/** The chain's number enters some payloads and not others. */
async function coversChain(receipt: Sent, held: Held): Promise<boolean> {
  const { network } = receipt;
  const other = { ...receipt, network: { ...network, chainId: network.chainId + 1 } };
  return (await isCovered(() => other, held)) === true;
}

/** Another value of the same kind, valid wherever the first one is. */
function anotherValue(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value % 2 === 0 ? value + 1 : value - 1;
  const text = String(value);
  if (/^\d+$/.test(text)) return String(BigInt(text) ^ 1n);
  if (/^0x[0-9a-f]+$/i.test(text)) return `${text.slice(0, -1)}${text.endsWith('0') ? 1 : 0}`.toLowerCase();
  return `${text}00`;
}

function withAnother(receipt: Sent, path: string): Sent {
  const other = structuredClone(receipt);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce((at, key) => at[key] as JsonObject, other.draft as JsonObject);
  parent[last] = anotherValue(parent[last]);
  return other;
}

/**
 * The signed fields of a review, without those on which no signature that holds depends: they are
 * covered by a signature that is missing, or belong to other orders of the same click.
 */
async function coveredOf(receipt: Sent, { bound }: Review, held: Held): Promise<ReviewField[]> {
  const own = new Set(leafFields(receipt.draft).map(({ path }) => path));
  const isKept = await Promise.all(
    bound.map(async ({ path }) => own.has(path) && (await isCovered(() => withAnother(receipt, path), held)) !== false),
  );
  return bound.filter((_, index) => isKept[index]);
}

const NEVER_SIGNED = [
  ...['exportedAt', 'id', 'requestId', 'origin', 'rule', 'network.id', 'account.id', 'shown', 'review'],
  ...['reviewedAt', 'digest', 'status', 'answer', 'error', 'history'],
];

/**
 * Fields that no signature covers, given what holds. A key update is signed by the L1 key alone:
 * `eddsa` is not, `signed` is.
 * @param review - Made again from the receipt, never taken from it.
 */
function unprovenOf(
  receipt: Receipt,
  review: Review | undefined,
  covered: readonly ReviewField[],
  proof: Proof,
): string[] {
  const { signed, operation, eddsa, ecdsa, header, chain } = proof;
  const { draft, request } = receipt;
  // A header covers the whole request; without a review the split of the draft is not known
  // otherwise.
  const covers = ({ path }: ReviewField) => covered.some((field) => field.path === path);
  const ofReview = leafFields(draft).flatMap((field) => (covers(field) ? [] : `draft.${field.path}`));
  const ofDraft = review === undefined ? (header ? [] : ['draft']) : ofReview;
  return [
    ...NEVER_SIGNED,
    ...(signed ? ofDraft : ['draft']),
    ...(signed ? [] : ['request', 'hash', 'storageId']),
    ...(signed && operation ? [] : ['operation']),
    ...(eddsa ? [] : ['account.publicKey']),
    ...(namedIn(receipt, 'exchange').length > 0 && signed ? [] : ['network.exchange']),
    ...(ecdsa ? [] : ['account.owner']),
    ...(chain ? [] : ['network.chainId']),
    ...(header ? [] : ['network.relayer']),
    ...(request?.signature === undefined ? [] : ['request.signature']),
    ...(receipt.inclusion === undefined ? [] : ['inclusion']),
  ];
}

/**
 * Checks a receipt by itself, without network: decodes the request again, recomputes its hash, and
 * verifies the signatures by the public key and the owner that the receipt names.
 * @param value - Parsed JSON of a file; anything.
 * @returns `valid` when nothing contradicts; `unproven` lists the paths that nobody's signature
 *   covers.
 */
export async function verifyReceipt(value: unknown): Promise<ReceiptFinding> {
  const parsed = receiptSchema().safeParse(value);
  if (!parsed.success)
    return { valid: false, signed: false, checks: [{ name: 'form', outcome: 'fails' }], unproven: [], receipt: null };
  const receipt = parsed.data;
  const { request, review, shown, reviewedAt } = receipt;
  const checks: ReceiptCheck[] = [{ name: 'form', outcome: 'holds' }];
  let remadeReview: Review | undefined;
  let proof = NO_PROOF;
  let signedAs = receipt.operation;
  let covered: readonly ReviewField[] = [];
  try {
    if (request === null) {
      checks.push({ name: 'request', outcome: holds(receipt.hash === null) }, { name: 'eddsa', outcome: 'none' });
    } else {
      const { remade, eddsa, ecdsa } = await replay({ ...receipt, request });
      const { hash, ...sent } = remade;
      const usesId = /"storageIds?":\[?\d/.test(sent.bodyText ?? '');
      const fits =
        withoutHeader(sent) === withoutHeader(request) &&
        usesId === (receipt.storageId !== null) &&
        namedIn(receipt, 'exchange').every((exchange) => exchange === receipt.network.exchange);
      checks.push(
        { name: 'request', outcome: holds(fits) },
        { name: 'hash', outcome: holds(hash === receipt.hash) },
        { name: 'eddsa', outcome: eddsa },
        { name: 'ecdsa', outcome: ecdsa },
      );
      // Other operations sign the request of the one whose endpoint they use.
      if (isOperation(remade.endpoint)) signedAs = remade.endpoint;
      const header = request.signature !== undefined && EDDSA.test(request.signature) && eddsa === 'holds';
      const signed = eddsa === 'holds' || (eddsa === 'none' && ecdsa === 'holds');
      const held = { eddsa: eddsa === 'holds', ecdsa: ecdsa === 'holds' };
      const chain = await coversChain({ ...receipt, request }, held);
      proof = { ...held, signed, operation: signedAs === receipt.operation, header, chain };
    }
    if (review !== undefined && shown !== undefined && reviewedAt !== undefined) {
      const again = reviewOf(operationNamed(receipt.operation), { body: receipt.draft, shown }, reviewedAt);
      const isSame = canonicalJson(again) === canonicalJson(review);
      if (isSame) remadeReview = again;
      if (isSame && request && proof.signed) covered = await coveredOf({ ...receipt, request }, again, proof);
      checks.push({ name: 'review', outcome: holds(isSame) });
      // A standing approval answers without a click; one click approves several orders of which one
      // can fill, and the digest is that of all.
      const byClick = receipt.rule === null && !receipt.requestId.includes('/');
      checks.push({ name: 'digest', outcome: byClick ? holds(digestHolds(receipt)) : 'none' });
    }
    if (receipt.inclusion !== undefined) checks.push(blockCheck(receipt, receipt.inclusion));
  } catch {
    // An operation that is not known here, or fields that cannot be hashed.
    checks.push({ name: 'request', outcome: 'fails' });
  }
  const valid = checks.every(({ outcome }) => outcome !== 'fails');
  return {
    signed: proof.signed,
    valid,
    checks,
    unproven: unprovenOf(receipt, remadeReview, covered, proof),
    receipt: {
      operation: receipt.operation,
      signedAs,
      origin: receipt.origin,
      publicKey: receipt.account.publicKey,
      covered: valid ? covered : [],
      sentence: remadeReview?.sentence ?? null,
      hash: receipt.hash,
      owner: receipt.account.owner,
      status: receipt.status,
      createdAt: receipt.history[0]?.at ?? 0,
      blocks: receipt.inclusion?.blocks ?? [],
    },
  };
}
