import { onchainDataHash, type WithdrawalPayload, withdrawalHash } from '../../../src/protocol/index.ts';
import { checkEddsa } from './eddsaPart.ts';
import type { VectorCheck } from './findings.ts';
import { hex64 } from './hex.ts';

interface Vector {
  eddsaPrivateKey: string;
  request: WithdrawalPayload;
  /** Absent when the text is no hex, which no contract call can carry. */
  contract?: { onchainDataHash: string; hash: string; eddsaSignature: string };
}

/** extraData is hashed as the bytes that the contract sees; a text that is no hex is refused. */
export const withdrawalExtraData: VectorCheck<Vector> = ({ request, contract, eddsaPrivateKey }, findings) => {
  if (!contract) {
    findings.refuses('request.extraData', 'format', () => withdrawalHash(request));
    return;
  }
  const message = withdrawalHash(request);
  findings.equal('contract.onchainDataHash', BigInt(contract.onchainDataHash), onchainDataHash(request));
  findings.equal('contract.hash', hex64(message), contract.hash);
  checkEddsa(findings, 'contract.eddsaSignature', {
    privateKey: eddsaPrivateKey,
    message,
    signature: contract.eddsaSignature,
  });
};
