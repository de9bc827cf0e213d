import { clickApprove } from '../clickApprove.ts';
import { carryOut, hold, pressCall, type TourStep, until } from './tour.ts';

export const step: TourStep = {
  title:
    'NFTs are minted with the permission that they need, given away, offered for sale, deployed to layer 1 and paid out there',
  async run(tour) {
    const { desk, context, extensionId, client, account, picture, say, answerTo, approvalAfter, ready, approve } = tour;
    const { accountId, apiKey } = account;
    const held = async () => {
      const { data } = await client.getNftBalances({ query: { accountId }, apiKey });
      return data[0];
    };
    const total = async () => Number((await held())?.total ?? 0);
    await answerTo('relayer_mintNft', async () => {
      const asking = await approvalAfter(() => desk.getByTestId('try-mint-act').click());
      await picture(asking, 'nft-permission');
      await clickApprove(asking);
      await asking.locator('.nft-figure img').waitFor();
      await ready(asking);
      await picture(asking, 'mintNft');
      await approve(asking);
    });
    await desk.getByTestId('try-nft').locator('img').waitFor();
    hold((await total()) === 5, 'five are in the account’s slot');
    await picture(desk, 'nft-on-the-page');
    const own = await context.newPage();
    await own.goto(`chrome-extension://${extensionId}/src/ui/popup.html?view=tab#/nfts`);
    await own.locator('.nft-card img').waitFor();
    await picture(own, 'nft-picture');
    await own.close();
    // The page learns what the account holds; its examples name it from here on.
    await answerTo('relayer_getNftBalances', () => pressCall(desk, 'getNftBalances'));
    await carryOut(tour, 'transferNft');
    hold((await total()) === 4, 'one has gone to the other account');
    const offer = await carryOut<{ requestId: string; order: { eddsaSignature: string } }>(tour, 'signNftOrder', {
      final: null,
    });
    hold(offer.order.eddsaSignature.length === 194, 'the site holds a signed offer');
    const address = ((await held())?.tokenAddress ?? '0x') as `0x${string}`;
    await carryOut(tour, 'deployNft', { final: null });
    const code = await until('the contract has code', async () => {
      const { result } = await client.getCode({ body: { address } });
      return result !== '0x' && result;
    });
    say(`layer 1: ${address} has ${(code.length - 2) / 2} bytes of code`);
    await carryOut(tour, 'withdrawNft');
    hold((await total()) === 3, 'one is on layer 1');
    await desk.bringToFront();
    await picture(desk, 'nfts');
  },
};
