import { verifyMessage, verifyTypedData } from 'viem';
import { hold, pressCall, type TourStep } from './tour.ts';

export const step: TourStep = {
  title: 'A text and typed data are shown whole and signed by the owner’s layer-1 key',
  async run({ desk, account, picture, say, approvalAfter, approve, answerTo }) {
    const address = account.owner;
    const message = `Log in to the demo dApp as ${address}`;
    const signature = (await answerTo('personal_sign', async () => {
      const asking = await approvalAfter(() => pressCall(desk, 'personal_sign', [message, address]));
      await picture(asking, 'text');
      await approve(asking);
    })) as `0x${string}`;
    hold(await verifyMessage({ address, message, signature }), 'the owner has signed the text');
    const document = {
      domain: { name: 'Demo dApp', chainId: 31337 },
      primaryType: 'Vote',
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'chainId', type: 'uint256' },
        ],
        Vote: [{ name: 'proposal', type: 'string' }],
      },
      message: { proposal: 'More examples' },
    } as const;
    const vote = (await answerTo('eth_signTypedData_v4', async () => {
      const asking = await approvalAfter(() => pressCall(desk, 'eth_signTypedData_v4', [address, document]));
      await picture(asking, 'typed-data');
      await approve(asking);
    })) as `0x${string}`;
    hold(
      await verifyTypedData({ ...document, domain: { name: 'Demo dApp', chainId: 31337n }, address, signature: vote }),
      'the owner has signed the document',
    );
    say(`wallet: ${signature.slice(0, 20)}… and ${vote.slice(0, 20)}… recover to ${address}`);
  },
};
