import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address, decimalText, erc20TokenId } from '../fields.ts';
import { once } from '../once.ts';
import { orderAmountsV3 } from '../resources.ts';
import { z } from '../zod.ts';

/** One listed token. Clients pin id, address and decimals together and warn when they change. */
const tokenInfo = once(() =>
  z.looseObject({
    type: described(z.string(), doc?.('ETH, ERC20, …')),
    tokenId: erc20TokenId(),
    symbol: described(z.string().check(z.maxLength(64)), doc?.('Symbol; pool tokens start with LP-')),
    name: described(z.string().check(z.maxLength(256)), doc?.('Name')),
    address: described(address(), doc?.('L1 contract; the zero address is the native coin')),
    decimals: described(
      z.int().check(z.minimum(0), z.maximum(78)),
      doc?.('Decimal places between base units and the shown amount'),
    ),
    precision: described(z.optional(z.int()), doc?.('Digits shown')),
    precisionForOrder: described(z.optional(z.int()), doc?.('Digits used in orders')),
    orderAmounts: described(z.optional(orderAmountsV3()), doc?.('Limits of order amounts')),
    luckyTokenAmounts: described(z.optional(orderAmountsV3()), doc?.('Limits of gift amounts')),
    fastWithdrawLimit: described(z.optional(decimalText()), doc?.('Largest fast withdrawal in base units')),
    gasAmounts: described(
      z.optional(z.looseObject({ distribution: decimalText(), deposit: decimalText() })),
      doc?.('Gas of L1 payouts and deposits'),
    ),
    enabled: described(z.optional(z.boolean()), doc?.('Deposits and withdrawals allowed')),
  }),
);

export const getTokens = readEndpoint({
  path: '/api/v3/exchange/tokens',
  summary: doc?.('The listed tokens'),
  apiKey: 'none',
  answer: () => z.array(tokenInfo()),
});
