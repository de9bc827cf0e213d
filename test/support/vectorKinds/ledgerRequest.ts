import type { PoseidonWidth } from '../../../src/crypto/index.ts';
import {
  endpoints,
  type NftTransferPayload,
  type NftWithdrawalPayload,
  nftTransferHash,
  nftWithdrawalHash,
  onchainDataHash,
  type RelayerTypedData,
  type TransferPayload,
  transferHash,
  transferTypedData,
  type WithdrawalPayload,
  withdrawalHash,
  withdrawalTypedData,
} from '../../../src/protocol/index.ts';
import { checkEddsa, checkHash, checkPublicKey } from './eddsaPart.ts';
import type { VectorCheck } from './findings.ts';
import { checkHttp, type HttpPart } from './httpPart.ts';
import { checkEcdsa, checkTypedData, type TypedDataPart } from './typedDataPart.ts';

interface Vector<Request> {
  chainId: number;
  eddsaPrivateKey: string;
  l1PrivateKey: string;
  ecdsaMode: string;
  request: Request;
  onchainDataHash?: string;
  hash: string;
  eddsaSignature: string;
  eip712: TypedDataPart;
  ecdsaSignature: string;
  http: HttpPart;
  poseidonInputs: string[];
  publicKey: { x: string; y: string };
  counterFactualInfo?: object;
}

/**
 * A transfer or a withdrawal: Poseidon hash with EdDSA, typed data with ECDSA, both in the body.
 */
const ledgerCheck =
  <Request extends object>(rules: {
    t: PoseidonWidth;
    hash: (request: Request) => bigint;
    typedData: (chainId: number, request: Request) => RelayerTypedData;
    endpoint: { readonly method: string; readonly path: string };
  }): VectorCheck<Vector<Request>> =>
  async (vector, findings) => {
    const { request, eddsaPrivateKey: privateKey, eddsaSignature, ecdsaSignature, counterFactualInfo, http } = vector;
    const message = rules.hash(request);
    checkHash(findings, message, { ...vector, t: rules.t });
    checkPublicKey(findings, privateKey, vector.publicKey);
    checkEddsa(findings, 'eddsaSignature', { privateKey, message, signature: eddsaSignature });
    const typedData = rules.typedData(vector.chainId, request);
    checkTypedData(findings, typedData, vector.eip712);
    await checkEcdsa(findings, 'ecdsaSignature', typedData, { ...vector, signature: ecdsaSignature });
    const extra = counterFactualInfo ? { counterFactualInfo } : {};
    checkHttp(findings, http, rules.endpoint, { ...request, ...extra, eddsaSignature, ecdsaSignature });
    findings.equal('http.headers', http.headers['X-API-SIG'], ecdsaSignature);
  };

const addressText = (hash: bigint) => `0x${hash.toString(16).padStart(40, '0')}`;

const withOnchainData =
  <Request extends WithdrawalPayload | NftWithdrawalPayload>(
    check: VectorCheck<Vector<Request>>,
  ): VectorCheck<Vector<Request>> =>
  (vector, findings) => {
    findings.equal('onchainDataHash', addressText(onchainDataHash(vector.request)), vector.onchainDataHash);
    return check(vector, findings);
  };

type Withdrawal<Payload> = Payload & { owner: string };

export const withdrawal = withOnchainData(
  ledgerCheck<Withdrawal<WithdrawalPayload>>({
    t: 10,
    hash: withdrawalHash,
    typedData: withdrawalTypedData,
    endpoint: endpoints.submitWithdrawal,
  }),
);

export const nftWithdrawal = withOnchainData(
  ledgerCheck<Withdrawal<NftWithdrawalPayload>>({
    t: 10,
    hash: nftWithdrawalHash,
    typedData: withdrawalTypedData,
    endpoint: endpoints.withdrawNft,
  }),
);

export const transfer = ledgerCheck<TransferPayload & { payerAddr: string }>({
  t: 13,
  hash: transferHash,
  typedData: transferTypedData,
  endpoint: endpoints.submitTransfer,
});

export const nftTransfer = ledgerCheck<NftTransferPayload & { fromAddress: string }>({
  t: 13,
  hash: nftTransferHash,
  typedData: transferTypedData,
  endpoint: endpoints.transferNft,
});
