import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import { address, amountText, hash32, offchainStorageId, seconds, signaturesOrNone } from '../fields.ts';
import { ammPoolExitTokens, offchainAck } from '../resources.ts';
import { z } from '../zod.ts';

/** Burns LP tokens for the tokens of a pool. */
export const exitAmmPool = endpoint({
  method: 'POST',
  path: '/api/v3/amm/exit',
  summary: doc?.('Leaves an AMM pool'),
  errorCodes: doc?.([...offchainRequestCodes, ...offchainFieldCodes, ...signatureCodes]),
  body: () =>
    z.strictObject({
      owner: address(),
      poolAddress: address(),
      exitTokens: described(ammPoolExitTokens(), doc?.('What is burned and what comes back')),
      storageId: described(offchainStorageId(), doc?.("Id of the LP token's counter, odd")),
      maxFee: described(amountText(), doc?.('Highest accepted fee, in the last token of the pool')),
      validUntil: seconds(),
      ...signaturesOrNone(),
      domainSeparator: described(
        z.optional(hash32()),
        doc?.('EIP-712 domain separator as the pool list gives it; checked, not trusted'),
      ),
    }),
  answer: () => offchainAck(),
});
