import {
  cidFromNftId,
  cloneCreationCode,
  computeNftAddress,
  domainSeparator,
  nftFactories,
  nftIdFromCid,
  type TypedDataDomain,
} from '../../../src/protocol/index.ts';
import type { VectorCheck } from './findings.ts';

export const eip712Domain: VectorCheck<{ domain: TypedDataDomain; domainSeparator: string }> = (vector, findings) => {
  findings.equal('domainSeparator', domainSeparator(vector.domain), vector.domainSeparator);
};

interface Create2Vector {
  chainId: number;
  nftFactory: string;
  nftOwner: string;
  nftBaseUri: string;
  tokenAddress: string;
  creationCode: string;
}

/**
 * The implementation is read out of the creation code; the official factories must have the listed
 * one.
 */
export const create2: VectorCheck<Create2Vector> = (vector, findings) => {
  const { nftFactory, nftOwner, nftBaseUri } = vector;
  const implementation = `0x${vector.creationCode.slice(42, 82)}`;
  const official = nftFactories.find((entry) => entry.nftFactory.toLowerCase() === nftFactory.toLowerCase());
  if (official) {
    findings.equal('chainId', official.chainId, vector.chainId);
    findings.equal('creationCode (implementation)', official.implementation, implementation);
  }
  const code = Buffer.from(cloneCreationCode(implementation)).toString('hex');
  findings.equal('creationCode', `0x${code}`, vector.creationCode);
  const address = computeNftAddress({ nftFactory, implementation, nftOwner, nftBaseUri });
  findings.equal('tokenAddress', address, vector.tokenAddress);
};

export const cid: VectorCheck<{ nftId: string; cid: string }> = (vector, findings) => {
  findings.equal('cid', cidFromNftId(vector.nftId), vector.cid);
  findings.equal('nftId', nftIdFromCid(vector.cid), vector.nftId);
};
