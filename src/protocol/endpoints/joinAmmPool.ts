import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import { address, amountText, hash32, offchainStorageId, seconds, signaturesOrNone } from '../fields.ts';
import { ammPoolJoinTokens, offchainAck } from '../resources.ts';
import { z } from '../zod.ts';

/** Puts tokens into a pool for LP tokens. */
export const joinAmmPool = endpoint({
  method: 'POST',
  path: '/api/v3/amm/join',
  summary: doc?.('Joins an AMM pool'),
  errorCodes: doc?.([...offchainRequestCodes, ...offchainFieldCodes, ...signatureCodes]),
  body: () =>
    z.strictObject({
      owner: address(),
      poolAddress: address(),
      joinTokens: described(ammPoolJoinTokens(), doc?.('What goes in and what comes back')),
      storageIds: described(z.array(offchainStorageId()).check(z.length(2)), doc?.('One id per pooled token, odd')),
      fee: described(amountText(), doc?.('Highest accepted fee, in the last token of the pool')),
      validUntil: seconds(),
      ...signaturesOrNone(),
      domainSeparator: described(
        z.optional(hash32()),
        doc?.('EIP-712 domain separator as the pool list gives it; checked, not trusted'),
      ),
    }),
  answer: () => offchainAck(),
});
