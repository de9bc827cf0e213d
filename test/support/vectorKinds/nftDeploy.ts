import { sha256 } from '@noble/hashes/sha2.js';
import {
  endpoints,
  requestHash,
  requestMessage,
  type TransferPayload,
  transferHash,
  transferTypedData,
} from '../../../src/protocol/index.ts';
import { checkEddsa, checkHash } from './eddsaPart.ts';
import type { VectorCheck } from './findings.ts';
import { hex64 } from './hex.ts';
import { checkHttp, type HttpPart, signedRequestOf } from './httpPart.ts';
import { checkEcdsa, checkTypedData, TYPED_DATA_MODE, type TypedDataPart } from './typedDataPart.ts';

interface Vector {
  chainId: number;
  eddsaPrivateKey: string;
  l1PrivateKey: string;
  /** Absent in the published file, whose note says which vector is a hardware wallet's. */
  ecdsaMode?: string;
  note: string;
  input: { transfer: TransferPayload & { payerAddr: string }; tokenAddress: string; nftData: string };
  completedTransfer: { memo: string; payeeId: number; maxFee: { volume: string; tokenId: number } };
  transferHash: string;
  transferPoseidonInputs: string[];
  transferEddsaSignature: string;
  transferEcdsaSignature: string;
  eip712: TypedDataPart;
  apiSigMessage: string;
  apiSigMessageSha256: string;
  apiSigHash: string;
  apiSig: string;
  http: HttpPart;
}

/**
 * The fee transfer inside a deployment, with its forced fields, and the request signature over the
 * whole body.
 */
export const nftDeploy: VectorCheck<Vector> = async (vector, findings) => {
  const { input, eddsaPrivateKey: privateKey } = vector;
  const forced = {
    payeeId: 0,
    memo: `NFT-DEPLOY-CONTRACT->${input.tokenAddress}`,
    maxFee: { volume: '0', tokenId: input.transfer.token.tokenId },
  };
  for (const name of ['payeeId', 'memo', 'maxFee'] as const)
    findings.equal(`completedTransfer.${name}`, forced[name], vector.completedTransfer[name]);

  const transfer = { ...input.transfer, ...forced };
  const message = transferHash(transfer);
  checkHash(findings, message, {
    hash: vector.transferHash,
    poseidonInputs: vector.transferPoseidonInputs,
    t: 13,
  });
  checkEddsa(findings, 'transferEddsaSignature', { privateKey, message, signature: vector.transferEddsaSignature });
  const typedData = transferTypedData(vector.chainId, transfer);
  checkTypedData(findings, typedData, vector.eip712);
  await checkEcdsa(findings, 'transferEcdsaSignature', typedData, {
    l1PrivateKey: vector.l1PrivateKey,
    ecdsaMode: vector.ecdsaMode ?? (vector.note.startsWith('hardware wallet') ? 'personal_sign' : TYPED_DATA_MODE),
    signature: vector.transferEcdsaSignature,
  });

  checkHttp(findings, vector.http, endpoints.deployTokenAddress, {
    ...input,
    transfer: {
      ...transfer,
      eddsaSignature: vector.transferEddsaSignature,
      ecdsaSignature: vector.transferEcdsaSignature,
    },
  });
  const text = requestMessage(signedRequestOf(vector.http));
  findings.equal('apiSigMessage', text, vector.apiSigMessage);
  findings.equal(
    'apiSigMessageSha256',
    Buffer.from(sha256(new TextEncoder().encode(text))).toString('hex'),
    vector.apiSigMessageSha256,
  );
  findings.equal('apiSigHash', hex64(requestHash(text)), vector.apiSigHash);
  checkEddsa(findings, 'apiSig', { privateKey, message: requestHash(text), signature: vector.apiSig });
  findings.equal('http.headers', vector.http.headers['X-API-SIG'], vector.apiSig);
};
