import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { address } from '../fields.ts';
import { z } from '../zod.ts';

/** Some nodes write `null` for no code; relayers pass their answers on. */
const NO_CODE = '0x';

/** Asks the L1 node for the code of a contract, as a JSON-RPC style answer. */
export const getCode = endpoint({
  method: 'POST',
  path: '/api/v3/delegator/getCode',
  summary: doc?.('L1 code of an NFT contract; 0x while it is not deployed'),
  apiKey: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: doc?.(['L1_NODE_ERROR']),
  body: () => z.strictObject({ address: described(address(), doc?.('NFT contract address')) }),
  answer: () =>
    z.looseObject({
      id: described(z.int(), doc?.('Id of the JSON-RPC answer')),
      jsonrpc: described(z.string(), doc?.('2.0')),
      result: described(
        z.pipe(
          z.transform((code: unknown) => (code === null ? NO_CODE : code)),
          z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/, 'is not 0x and whole bytes')),
        ),
        doc?.('Deployed code as hex; 0x: not deployed'),
      ),
    }),
});
