import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatSignature, parseSignature } from '../../src/crypto/index.ts';
import { type AnyOperation, type OperationName, operations } from '../../src/operations/index.ts';
import {
  nftMintHash,
  nftOrderHash,
  nftTransferHash,
  nftWithdrawalHash,
  orderHash,
  poolExitTypedData,
  poolJoinTypedData,
  type RelayerTypedData,
  transferHash,
  transferTypedData,
  typedDataDigest,
  withdrawalHash,
  withdrawalTypedData,
} from '../../src/protocol/index.ts';
import { NAME } from './ammPool.ts';
import { cases } from './everyCase.ts';
import { factsWith, isSignedBy, keys, OWNER, sentBody, verifiesEddsa } from './support.ts';

/** What the account key and, where both sign, the owner sign of a request as it is sent. */
interface Signed {
  readonly hash: (request: never) => bigint;
  readonly typedData?: (request: never) => RelayerTypedData;
}

const { chainId } = factsWith();
const pool = { chainId, name: NAME };
/** The digest of the pool requests, which is shifted to fit a field element. */
const shifted = (typedData: RelayerTypedData) => BigInt(typedDataDigest(typedData)) >> 3n;

const signed = {
  submitOrder: { hash: orderHash },
  transfer: { hash: transferHash, typedData: (request) => transferTypedData(chainId, request) },
  withdraw: { hash: withdrawalHash, typedData: (request) => withdrawalTypedData(chainId, request) },
  transferNft: { hash: nftTransferHash, typedData: (request) => transferTypedData(chainId, request) },
  withdrawNft: { hash: nftWithdrawalHash, typedData: (request) => withdrawalTypedData(chainId, request) },
  mintNft: { hash: nftMintHash },
  signNftOrder: { hash: nftOrderHash },
  joinAmmPool: { hash: (request) => shifted(poolJoinTypedData(pool, request)) },
  exitAmmPool: { hash: (request) => shifted(poolExitTypedData(pool, request)) },
} satisfies Partial<Record<OperationName, Signed>>;

test.each(Object.entries<Signed>(signed))('%s is signed as it was reviewed, whatever it asks for', async (name, of) => {
  const operation: AnyOperation = operations[name as OperationName];
  const { intent, facts } = cases[name as OperationName];
  await fc.assert(
    fc.asyncProperty(intent, fc.integer({ min: 0, max: 2 ** 31 - 1 }), async (asked, half) => {
      const draft = await operation.prepare(operation.intent().parse(asked), facts);
      const slot = operation.storageSlot(draft);
      const id = slot?.parity === 'order' ? 2 * half : 2 * half + 1;
      const request = await operation.sign(draft, id, facts, keys);
      const sent = sentBody(request);
      const { eddsaSignature, ecdsaSignature, storageId, storageIds, ...body } = sent;
      expect(body).toEqual(draft.body);
      expect(storageIds ?? storageId).toEqual(slot?.alsoOf === undefined ? id : [id, id]);
      const hash = of.hash(sent as never);
      expect(BigInt(request.hash ?? 0)).toBe(hash);
      expect(verifiesEddsa(eddsaSignature, hash)).toBe(true);
      expect(formatSignature(parseSignature(String(eddsaSignature)))).toBe(eddsaSignature);
      expect(ecdsaSignature).toBe(of.typedData && request.signature);
      if (of.typedData) expect(await isSignedBy(of.typedData(sent as never), ecdsaSignature, OWNER)).toBe(true);
    }),
    { numRuns: 4 },
  );
});
