import { computeNftAddress, formatHash, nftDataHash, nftFactories } from '../../src/protocol/index.ts';
import { ACCOUNT_ID, type Answers, feeAnswer, OWNER } from './facts.ts';

const [official] = nftFactories;
if (!official) throw new Error('the protocol knows no factory');
export const FACTORY = official.nftFactory;
export const CONTRACT = computeNftAddress({ ...official, nftOwner: OWNER });
export const NFT_ID = `0x${'00'.repeat(8)}${'ab'.repeat(24)}`;
export const SLOT = 32_769;

const parts = { minterAddress: OWNER, nftType: 0, tokenAddress: CONTRACT, nftId: NFT_ID, creatorFeeBips: 3 };
export const NFT_DATA = formatHash(nftDataHash(parts));

export const nftInfo = {
  nftData: NFT_DATA,
  minter: OWNER,
  nftType: 'ERC1155',
  tokenAddress: CONTRACT,
  nftId: NFT_ID,
  creatorFeeBips: 3,
  status: true,
};
export const slotRow = {
  accountId: ACCOUNT_ID,
  tokenId: SLOT,
  nftData: NFT_DATA,
  tokenAddress: CONTRACT,
  nftId: NFT_ID,
  nftType: 'ERC1155',
  total: '5',
  locked: '1',
  pending: { withdraw: '0', deposit: '0' },
};
export const slots = (...rows: object[]) => ({ totalNum: rows.length, data: rows });
export const code = (result: string) => ({ id: 1, jsonrpc: '2.0', result });

/** A relayer that knows one NFT, in one slot of the account. */
export const nftAnswers: Answers = {
  getNftBalances: () => slots(slotRow),
  getNfts: () => [nftInfo],
  getNftOffchainFee: () => feeAnswer({ ETH: '3000', LRC: '4000' }),
  getAccount: () => null,
  getCode: () => code('0x'),
  computeTokenAddress: () => ({ tokenAddress: CONTRACT }),
};
