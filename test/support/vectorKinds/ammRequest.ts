import {
  type AmmExitPayload,
  type AmmJoinPayload,
  ammExitScalar,
  ammJoinScalar,
  endpoints,
  type PoolIdentity,
  poolExitTypedData,
  poolJoinTypedData,
  type RelayerTypedData,
} from '../../../src/protocol/index.ts';
import { checkEddsa, checkPublicKey } from './eddsaPart.ts';
import type { VectorCheck } from './findings.ts';
import { hex64 } from './hex.ts';
import { checkHttp, type HttpPart } from './httpPart.ts';
import { checkTypedData, type TypedDataPart } from './typedDataPart.ts';

interface Vector<Request> {
  chainId: number;
  poolName: string;
  eddsaPrivateKey: string;
  request: Request;
  eip712: TypedDataPart;
  messageScalar: string;
  eddsaSignature: string;
  http: HttpPart;
  publicKey: { x: string; y: string };
}

/** Joining or leaving a pool: EdDSA over the typed-data digest shifted right by three bits. */
const ammCheck =
  <Request extends object>(rules: {
    typedData: (pool: PoolIdentity, request: Request) => RelayerTypedData;
    scalar: (pool: PoolIdentity, request: Request) => bigint;
    endpoint: { readonly method: string; readonly path: string };
  }): VectorCheck<Vector<Request>> =>
  (vector, findings) => {
    const { request, eddsaPrivateKey: privateKey, eddsaSignature, eip712 } = vector;
    const pool = { chainId: vector.chainId, name: vector.poolName };
    checkTypedData(findings, rules.typedData(pool, request), eip712);
    const message = rules.scalar(pool, request);
    findings.equal('messageScalar', hex64(message), vector.messageScalar);
    const listed = rules.scalar({ ...pool, domainSeparator: eip712.domainSeparator }, request);
    findings.equal('messageScalar (listed domain separator)', hex64(listed), vector.messageScalar);
    checkPublicKey(findings, privateKey, vector.publicKey);
    checkEddsa(findings, 'eddsaSignature', { privateKey, message, signature: eddsaSignature });
    // The reference client passes a domain separator of the pool list on in the body.
    const listedInBody = 'domainSeparator' in JSON.parse(vector.http.body);
    const { domainSeparator } = eip712;
    const extra = listedInBody ? { domainSeparator } : {};
    checkHttp(findings, vector.http, rules.endpoint, { ...request, ...extra, eddsaSignature });
  };

export const ammJoin = ammCheck<AmmJoinPayload>({
  typedData: poolJoinTypedData,
  scalar: ammJoinScalar,
  endpoint: endpoints.joinAmmPool,
});

export const ammExit = ammCheck<AmmExitPayload>({
  typedData: poolExitTypedData,
  scalar: ammExitScalar,
  endpoint: endpoints.exitAmmPool,
});
