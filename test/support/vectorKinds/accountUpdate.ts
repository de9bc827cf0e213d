import { packPoint } from '../../../src/crypto/index.ts';
import {
  type AccountUpdatePayload,
  accountUpdateHash,
  accountUpdateIdentifier,
  accountUpdateTypedData,
  endpoints,
} from '../../../src/protocol/index.ts';
import { checkEddsa, checkHash, checkPublicKey } from './eddsaPart.ts';
import type { VectorCheck } from './findings.ts';
import { hex64, pointOf } from './hex.ts';
import { checkHttp, type HttpPart } from './httpPart.ts';
import { checkEcdsa, checkTypedData, type TypedDataPart } from './typedDataPart.ts';

interface Vector {
  chainId: number;
  l1PrivateKey: string;
  newEddsaPrivateKey: string;
  ecdsaMode: string;
  request: AccountUpdatePayload & { owner: string };
  packedPublicKey: string;
  eip712: TypedDataPart;
  ecdsaSignature: string;
  optionalEddsa: { oldEddsaPrivateKey: string; hash: string; eddsaSignature: string; poseidonInputs: string[] };
  http: HttpPart;
  relayerHashT10: string;
  counterFactualInfo?: object;
}

export const accountUpdate: VectorCheck<Vector> = async (vector, findings) => {
  const { request, optionalEddsa, ecdsaSignature, counterFactualInfo, http } = vector;
  checkPublicKey(findings, vector.newEddsaPrivateKey, request.publicKey);
  findings.equal('packedPublicKey', packPoint(pointOf(request.publicKey)), BigInt(vector.packedPublicKey));
  const typedData = accountUpdateTypedData(vector.chainId, request);
  checkTypedData(findings, typedData, vector.eip712);
  await checkEcdsa(findings, 'ecdsaSignature', typedData, { ...vector, signature: ecdsaSignature });

  const message = accountUpdateHash(request);
  checkHash(findings, message, { ...optionalEddsa, t: 9 });
  checkEddsa(findings, 'optionalEddsa.eddsaSignature', {
    privateKey: optionalEddsa.oldEddsaPrivateKey,
    message,
    signature: optionalEddsa.eddsaSignature,
  });
  findings.equal('relayerHashT10', hex64(accountUpdateIdentifier(request)), vector.relayerHashT10);

  const extra = counterFactualInfo ? { counterFactualInfo } : {};
  checkHttp(findings, http, endpoints.updateAccount, { ...request, ...extra, ecdsaSignature });
  findings.equal('http.headers', http.headers['X-API-SIG'], ecdsaSignature);
};
