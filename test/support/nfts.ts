import { nftFactories } from '../../src/protocol/index.ts';

export const CID = 'QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR';
export const nftFactory = nftFactories[0]?.nftFactory ?? '';
