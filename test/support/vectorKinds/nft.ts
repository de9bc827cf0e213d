import {
  endpoints,
  exchangeDomain,
  type NftIdentity,
  type NftMintPayload,
  nftDataHash,
  nftFactories,
  nftMintHash,
  type RelayerTypedData,
  typedDataTypes,
} from '../../../src/protocol/index.ts';
import { checkEddsa, checkHash, checkPublicKey } from './eddsaPart.ts';
import type { VectorCheck } from './findings.ts';
import { hex64 } from './hex.ts';
import { checkHttp, type HttpPart } from './httpPart.ts';
import { checkEcdsa, checkTypedData, TYPED_DATA_MODE, type TypedDataPart } from './typedDataPart.ts';

interface NftDataVector {
  request: NftIdentity;
  nftData: string;
  nftIdLow: string;
  nftIdHigh: string;
}

export const nftData: VectorCheck<NftDataVector> = ({ request, nftData: expected, nftIdLow, nftIdHigh }, findings) => {
  findings.equal('nftData', hex64(nftDataHash(request)), expected);
  findings.equal('nftIdLow + nftIdHigh · 2^128', BigInt(request.nftId), BigInt(nftIdLow) + (BigInt(nftIdHigh) << 128n));
};

interface NftMintVector {
  chainId: number;
  eddsaPrivateKey: string;
  l1PrivateKey: string;
  request: NftMintPayload & { counterFactualNftInfo?: object };
  nftData: string;
  hash: string;
  eddsaSignature: string;
  legacyEip712: TypedDataPart & { signature: string };
  http: HttpPart;
  poseidonInputs: string[];
  publicKey: { x: string; y: string };
}

/** The typed data that older clients signed for mints; no relayer route takes it. */
export const legacyMintTypedData = (chainId: number, mint: NftMintPayload): RelayerTypedData => ({
  domain: exchangeDomain(chainId, mint.exchange),
  types: { Mint: typedDataTypes.Mint },
  primaryType: 'Mint',
  message: {
    minterAddress: mint.minterAddress,
    toAccountId: mint.toAccountId,
    nftType: String(mint.nftType),
    amount: BigInt(mint.amount),
    nftId: BigInt(mint.nftId),
    nftAddress: mint.tokenAddress,
    feeTokenID: mint.maxFee.tokenId,
    maxFee: BigInt(mint.maxFee.amount),
    validUntil: mint.validUntil,
    storageID: mint.storageId,
  },
});

/** A mint carries EdDSA alone; the typed data that older clients signed is checked too. */
export const nftMint: VectorCheck<NftMintVector> = async (vector, findings) => {
  const { chainId, request, eddsaPrivateKey: privateKey, eddsaSignature, legacyEip712 } = vector;
  findings.equal('nftData', hex64(nftDataHash(request)), vector.nftData);
  const message = nftMintHash(request);
  checkHash(findings, message, { ...vector, t: 10 });
  checkPublicKey(findings, privateKey, vector.publicKey);
  checkEddsa(findings, 'eddsaSignature', { privateKey, message, signature: eddsaSignature });
  const typedData = legacyMintTypedData(chainId, request);
  checkTypedData(findings, typedData, legacyEip712);
  await checkEcdsa(findings, 'legacyEip712.signature', typedData, {
    l1PrivateKey: vector.l1PrivateKey,
    ecdsaMode: TYPED_DATA_MODE,
    signature: legacyEip712.signature,
  });
  const nftFactory = nftFactories.find((factory) => factory.chainId === chainId)?.nftFactory;
  const counterFactualNftInfo = { nftFactory, nftOwner: request.minterAddress, nftBaseUri: '' };
  checkHttp(findings, vector.http, endpoints.mintNft, { counterFactualNftInfo, ...request, eddsaSignature });
};
