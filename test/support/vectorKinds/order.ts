import { getPublicKey, parseSignature, verify } from '../../../src/crypto/index.ts';
import {
  endpoints,
  type NftOrderPayload,
  nftOrderHash,
  type OrderPayload,
  orderHash,
} from '../../../src/protocol/index.ts';
import { secretKeyOf } from '../secretKeys.ts';
import { checkEddsa, checkHash, checkPublicKey } from './eddsaPart.ts';
import type { Findings, VectorCheck } from './findings.ts';
import { checkHttp, type HttpPart } from './httpPart.ts';

interface Vector<Request> {
  eddsaPrivateKey: string;
  request: Request;
  hash: string;
  eddsaSignature: string;
  poseidonInputs: string[];
  publicKey: { x: string; y: string };
}

const orderCheck =
  <Request extends object>(hashOf: (request: Request) => bigint) =>
  (vector: Vector<Request>, findings: Findings): void => {
    const { eddsaPrivateKey: privateKey, eddsaSignature: signature, publicKey } = vector;
    const message = hashOf(vector.request);
    checkHash(findings, message, { ...vector, t: 12 });
    checkPublicKey(findings, privateKey, publicKey);
    checkEddsa(findings, 'eddsaSignature', { privateKey, message, signature });
  };

const spotCheck = orderCheck<OrderPayload>(orderHash);
const nftCheck = orderCheck<NftOrderPayload>(nftOrderHash);

type Submitted = Vector<OrderPayload> & { http: HttpPart };

/**
 * order-spot and order-amm: the client writes the default trade channel and repeats the order's
 * signature in the header.
 */
export const submittedOrder: VectorCheck<Submitted> = (vector, findings) => {
  spotCheck(vector, findings);
  const { request, eddsaSignature, http } = vector;
  checkHttp(findings, http, endpoints.submitOrder, { tradeChannel: 'MIXED', ...request, eddsaSignature });
  findings.equal('http.headers', http.headers['X-API-SIG'], eddsaSignature);
};

/**
 * order-p2p: the taker is signed; the reference client's own helper leaves it out, and that must
 * not verify.
 */
export const p2pOrder: VectorCheck<Vector<OrderPayload> & { sdkSubmitOrderSignature: string }> = (vector, findings) => {
  spotCheck(vector, findings);
  const withoutTaker = parseSignature(vector.sdkSubmitOrderSignature);
  const publicKey = getPublicKey(secretKeyOf(vector.eddsaPrivateKey));
  findings.holds('sdkSubmitOrderSignature', !verify(withoutTaker, BigInt(vector.hash), publicKey), 'verifies');
};

export const nftOrder: VectorCheck<Vector<NftOrderPayload> & { http: HttpPart }> = (vector, findings) => {
  nftCheck(vector, findings);
  const { request, eddsaSignature, http } = vector;
  checkHttp(findings, http, endpoints.validateOrder, { ...request, eddsaSignature });
};
