import { z } from 'zod';
import { described } from '../../../protocol/described.ts';
import { address, amountText } from '../../../protocol/fields.ts';
import { bookDeposit } from '../bookDeposit.ts';
import { describeEvent, layer1Event } from '../layer1Event.ts';
import { operatorAction } from '../operatorAction.ts';
import { nonZeroAddress } from '../operatorFields.ts';
import { OperatorRefusal } from '../operatorRefusal.ts';

/** A deposit of a token that layer 1 has confirmed. It is credited with the next block. */
export const depositConfirmed = operatorAction({
  summary: 'a deposit is final on layer 1: credit it',
  body: z.strictObject({
    owner: nonZeroAddress('L1 address whose account is credited; opened when missing'),
    symbol: z.string().describe('token'),
    amount: described(amountText().check(z.refine((text) => text !== '0', 'is zero')), 'in base units'),
    from: described(address(), 'L1 address that paid'),
    ...layer1Event,
  }),
  subject: describeEvent,
  perform: async (relayer, tx, body) => {
    const token = relayer.catalog.tokenBySymbol(body.symbol);
    if (!token || token.type === 'LP')
      throw new OperatorRefusal('unknown', `symbol: ${body.symbol} is no token that can be deposited`);
    const { tokenId } = token;
    const facts = { tokenId, amount: body.amount };
    return bookDeposit(tx, body, facts, relayer.clock.now(), async () => ({ tokenId }));
  },
});
