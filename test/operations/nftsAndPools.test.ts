import { expect, test } from 'vitest';
import { deployNft } from '../../src/operations/deployNft.ts';
import { exitAmmPool } from '../../src/operations/exitAmmPool.ts';
import type { AnyOperation } from '../../src/operations/index.ts';
import { joinAmmPool } from '../../src/operations/joinAmmPool.ts';
import { mintNft } from '../../src/operations/mintNft.ts';
import { signNftOrder } from '../../src/operations/signNftOrder.ts';
import { transferNft } from '../../src/operations/transferNft.ts';
import { withdrawNft } from '../../src/operations/withdrawNft.ts';
import type { Transaction, TransactionOf } from '../../src/protocol/rollup/transactions.ts';
import { answers as samplesOf } from '../protocol/samples.ts';
import { amounts, POOL, poolAnswers } from './ammPool.ts';
import { CONTRACT, code, FACTORY, NFT_DATA, NFT_ID, nftAnswers, nftInfo, SLOT } from './nftSupport.ts';
import { ACCOUNT_ID, type Answers, DAY, FRIEND, factsWith, keys, now, OWNER, sentBody } from './support.ts';
import { expectStorageIdNeeded, historyRow, noting, submittedWith, told } from './told.ts';

const BROKER = `0x${'b'.repeat(40)}`;
const nft = { tokenId: SLOT, nftData: NFT_DATA, amount: '2' };
const rates = {
  nftTokenAddress: CONTRACT,
  feeRate: 20,
  amounts: [
    {
      feeTokenSymbol: 'ETH',
      minAmount: '1',
      tradeCost: '1',
      marketOrderInfo: { minimum: '1', maximum: '1000000', dust: '1' },
    },
  ],
  gasPrice: '1',
  cacheOverdueAt: now * 1000,
};
const money = { tokenId: 0, amount: '10000' };
const withCode: Answers = { ...nftAnswers, getCode: () => code('0x60') };

interface Sample {
  readonly operation: AnyOperation;
  readonly intent: object;
  readonly answers: Answers;
}

const samples: Readonly<Record<string, Sample>> = {
  'an NFT is sent': {
    operation: transferNft,
    intent: { token: nft, toAddress: FRIEND, memo: 'a gift', validUntil: now + 31 * DAY },
    answers: nftAnswers,
  },
  'an NFT is withdrawn': {
    operation: withdrawNft,
    intent: { token: { ...nft, amount: '5' }, to: FRIEND, minGas: 9, extraData: '0x00ff' },
    answers: withCode,
  },
  'an NFT is minted': {
    operation: mintNft,
    intent: { nftId: NFT_ID, amount: '3', nftFactory: FACTORY, creatorFeeBips: 3, royaltyAddress: FRIEND },
    answers: nftAnswers,
  },
  'a contract is deployed': {
    operation: deployNft,
    intent: { nftData: NFT_DATA, tokenAddress: CONTRACT, feeTokenId: 1 },
    answers: { ...nftAnswers, getAvailableBroker: () => ({ broker: BROKER }) },
  },
  'an NFT is sold': {
    operation: signNftOrder,
    intent: { sellToken: nft, buyToken: money, taker: FRIEND, clientOrderId: 'mine', validate: true },
    answers: { ...nftAnswers, getNftOrderUserRateAmount: () => rates },
  },
  'an NFT is bought': {
    operation: signNftOrder,
    intent: { sellToken: money, buyToken: { ...nft, tokenId: SLOT + 1 }, fillAmountBOrS: true, maxFeeBips: 40 },
    answers: { ...nftAnswers, getNftOrderUserRateAmount: () => rates, getNfts: () => [nftInfo] },
  },
  'a pool is joined': {
    operation: joinAmmPool,
    intent: {
      poolAddress: POOL,
      joinTokens: { pooled: amounts('1000', '10'), minimumLp: { tokenId: 100, volume: '1' } },
    },
    answers: poolAnswers(),
  },
  'a pool is left': {
    operation: exitAmmPool,
    intent: { poolAddress: POOL, exitTokens: { unPooled: amounts('90000', '900'), burned: '100' } },
    answers: poolAnswers(),
  },
};
const names = Object.keys(samples);
const draftOf = async (name: string, changes: object = {}, more: object = {}) => {
  const { operation, intent, answers } = samples[name] as Sample;
  const { facts, asked } = noting({ ...factsWith(answers), ...more });
  const draft = await operation.prepare(operation.intent().parse({ ...intent, ...changes }), facts);
  return { operation, draft, asked };
};
const everyOf = async <Told>(what: (name: string) => Promise<Told>) =>
  Object.fromEntries(await Promise.all(names.map(async (name) => [name, await what(name)] as const)));

test('an NFT that is sent is told whole', async () => {
  const { operation, draft } = await draftOf('an NFT is sent');
  expect(told(operation.review(draft, now))).toMatchInlineSnapshot(`
    "review_transfer amount=2 NFT recipient=address 0x1111111111111111111111111111111111111111
    - review_send: 2 NFT | as pay
    - review_recipient: address 0x1111111111111111111111111111111111111111 | review_recipientFirst | as recipient
    - review_fee: 3000 ETH
    - review_expires: time 1802678400
    - review_nftContract: address 0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9
    - review_nftName: text QmNLei78zWmzUuFMcrk8uiVtzRZB59fKa8RT6YnQaDytzv
    - review_nftData: hex 0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781 | review_slotNote slot=integer 32769
    - review_memo: document a gift | review_memoNote
    picture of 0x0000000000000000abababababababababababababababababababababababab in slot 32769
    ! notice validity-long: warning_validityLong until=time 1802678400
    ! notice recipient-new: warning_recipientNew
    ! notice recipient-without-account: warning_recipientWithoutAccount
    bound: exchange fromAccountId fromAddress toAccountId toAddress token.tokenId token.amount maxFee.tokenId maxFee.amount validUntil
    unbound: token.nftData memo"
  `);
});

test('an NFT that is withdrawn is told whole', async () => {
  const { operation, draft } = await draftOf('an NFT is withdrawn');
  expect(told(operation.review(draft, now))).toMatchInlineSnapshot(`
    "review_withdraw amount=5 NFT recipient=address 0x1111111111111111111111111111111111111111
    - review_withdrawn: 5 NFT | as pay
    - review_recipient: address 0x1111111111111111111111111111111111111111 | review_recipientFirst | as recipient
    - review_domainChain: text 31337
    - review_fee: 3000 ETH
    - review_expires: time 1800003600
    - review_minGas: text 9
    - review_extraData: document 0x00ff
    - review_nftContract: address 0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9
    - review_nftName: text QmNLei78zWmzUuFMcrk8uiVtzRZB59fKa8RT6YnQaDytzv
    - review_nftData: hex 0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781 | review_slotNote slot=integer 32769
    picture of 0x0000000000000000abababababababababababababababababababababababab in slot 32769
    ! notice recipient-new: warning_recipientNew
    ! danger withdraw-elsewhere: warning_withdrawElsewhere address=address 0x1111111111111111111111111111111111111111
    ! danger withdraw-to-contract: warning_withdrawToContract
    ! notice withdraw-other-chain: warning_withdrawOtherChain chain=text 31337
    ! notice nft-locked: warning_nftLocked
    bound: exchange accountId owner to token.tokenId token.amount maxFee.tokenId maxFee.amount validUntil minGas extraData
    unbound: token.nftData"
  `);
});

test('an NFT that is minted is told whole', async () => {
  const { operation, draft } = await draftOf('an NFT is minted');
  expect(told(operation.review(draft, now))).toMatchInlineSnapshot(`
    "review_mintNft amount=3 NFT
    - review_mint: 3 NFT | as receive
    - review_fee: 3000 ETH
    - review_expires: time 1800003600
    - review_nftContract: address 0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9
    - review_nftName: text QmNLei78zWmzUuFMcrk8uiVtzRZB59fKa8RT6YnQaDytzv
    - review_nftData: hex 0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781
    - review_royalty: integer 3 | review_royaltyNote
    - review_royaltyAddress: address 0x1111111111111111111111111111111111111111 | review_recipientFirst | unsigned
    picture of 0x0000000000000000abababababababababababababababababababababababab
    ! notice recipient-new: warning_recipientNew
    bound: exchange minterId minterAddress toAccountId nftType tokenAddress nftId amount validUntil creatorFeeBips royaltyPercentage maxFee.tokenId maxFee.amount
    unbound: toAddress forceToMint counterFactualNftInfo.nftFactory counterFactualNftInfo.nftOwner counterFactualNftInfo.nftBaseUri royaltyAddress"
  `);
});

test('a contract that is deployed is told whole', async () => {
  const { operation, draft } = await draftOf('a contract is deployed');
  expect(told(operation.review(draft, now))).toMatchInlineSnapshot(`
    "review_deployNft amount=4000 LRC contract=address 0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9
    - review_pay: 4000 LRC | as pay | leaves
    - review_broker: address 0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb | review_brokerNote
    - review_expires: time 1800003600
    - review_nftContract: address 0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9 | unsigned
    - review_nftData: hex 0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781 | detail | unsigned
    - review_feeAlternative: 3000 ETH | detail
    picture of 0x0000000000000000abababababababababababababababababababababababab
    ! danger password pays-new-broker: warning_paysNewBroker amount=4000 LRC address=address 0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
    bound: transfer.exchange transfer.payerId transfer.payerAddr transfer.payeeId transfer.payeeAddr transfer.token.tokenId transfer.token.volume transfer.maxFee.tokenId transfer.maxFee.volume transfer.validUntil
    unbound: nftData tokenAddress transfer.memo"
  `);
});

test('an NFT that is sold is told whole', async () => {
  const { operation, draft } = await draftOf('an NFT is sold');
  expect(told(operation.review(draft, now))).toMatchInlineSnapshot(`
    "review_sellNft pay=2 NFT receive=9980 ETH at least
    - review_pay: 2 NFT | as pay
    - review_receive: 9980 ETH at least | review_afterFee gross=10000 ETH at least fee=20 ETH | as receive
    - review_worstFee: bips 20 | review_nftFeeNote rate=bips 20 | detail
    - review_expires: time 1802592000
    - review_nftContract: address 0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9
    - review_nftName: text QmNLei78zWmzUuFMcrk8uiVtzRZB59fKa8RT6YnQaDytzv
    - review_nftData: hex 0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781 | review_slotNote slot=integer 32769
    - review_handedOver: message review_handedOverValidated
    - review_taker: address 0x1111111111111111111111111111111111111111 | review_recipientFirst
    - review_clientOrderId: text mine | detail | unsigned
    picture of 0x0000000000000000abababababababababababababababababababababababab in slot 32769
    ! notice recipient-new: warning_recipientNew
    bound: sellToken.tokenId sellToken.amount buyToken.tokenId buyToken.amount taker exchange accountId fillAmountBOrS validUntil maxFeeBips
    unbound: sellToken.nftData clientOrderId allOrNone"
  `);
});

test('an NFT that is bought is told whole', async () => {
  const { operation, draft } = await draftOf('an NFT is bought');
  expect(told(operation.review(draft, now))).toMatchInlineSnapshot(`
    "review_buyNft pay=10040 ETH receive=2 NFT
    - review_pay: 10040 ETH | review_withFee gross=10000 ETH fee=40 ETH | as pay | leaves
    - review_receive: 2 NFT | as receive
    - review_worstFee: 40 ETH | review_nftFeeNote rate=bips 40 | detail
    - review_expires: time 1802592000
    - review_nftContract: address 0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9
    - review_nftName: text QmNLei78zWmzUuFMcrk8uiVtzRZB59fKa8RT6YnQaDytzv
    - review_nftData: hex 0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781
    - review_handedOver: message review_handedOverSite
    picture of 0x0000000000000000abababababababababababababababababababababababab
    bound: sellToken.tokenId sellToken.amount buyToken.nftData buyToken.amount fillAmountBOrS maxFeeBips exchange accountId validUntil
    unbound: buyToken.tokenId allOrNone"
  `);
});

test('a pool that is joined is told whole', async () => {
  const { operation, draft } = await draftOf('a pool is joined');
  expect(told(operation.review(draft, now))).toMatchInlineSnapshot(`
    "review_joinAmmPool pool=text AMM-LRC-ETH
    - review_pay: 1000 LRC | as pay | leaves
    - review_pay: 13 ETH | review_withFee gross=10 ETH fee=3 ETH | as pay | leaves
    - review_receive: 1 LP-LRC-ETH at least | review_shareWorth amount=1000 LRC at least other=10 ETH at least | as receive
    - review_fee: 3 ETH
    - review_expires: time 1800003600
    - review_pool: address 0x18920d6E6Fb7EbE057a4DD9260D6D95845c95036
    - review_domainName: text AMM-LRC-ETH
    ! notice fee-of-moved: warning_feeOfMoved fee=3 ETH compared=10 ETH share=bips 3000
    bound: owner poolAddress joinTokens.pooled.0.volume joinTokens.pooled.1.volume joinTokens.minimumLp.volume fee validUntil
    unbound: joinTokens.pooled.0.tokenId joinTokens.pooled.1.tokenId joinTokens.minimumLp.tokenId"
  `);
});

test('a pool that is left is told whole', async () => {
  const { operation, draft } = await draftOf('a pool is left');
  expect(told(operation.review(draft, now))).toMatchInlineSnapshot(`
    "review_exitAmmPool amount=100 LP-LRC-ETH pool=text AMM-LRC-ETH
    - review_burn: 100 LP-LRC-ETH | as pay | leaves
    - review_receive: 90000 LRC at least | review_worthNow amount=100000 LRC at least | as receive
    - review_receive: 897 ETH at least | review_worthNowAfterFee amount=1000 ETH at least gross=900 ETH at least fee=3 ETH | as receive
    - review_fee: 3 ETH
    - review_expires: time 1800003600
    - review_pool: address 0x18920d6E6Fb7EbE057a4DD9260D6D95845c95036
    - review_domainName: text AMM-LRC-ETH
    ! danger share-far: warning_shareFar share=bips 1000
    bound: owner poolAddress exitTokens.unPooled.0.volume exitTokens.unPooled.1.volume exitTokens.burned.volume maxFee validUntil
    unbound: exitTokens.unPooled.0.tokenId exitTokens.unPooled.1.tokenId exitTokens.burned.tokenId"
  `);
});

test('asks the relayer for what it is about and for its fee, in this order', async () => {
  expect(await everyOf(async (name) => (await draftOf(name)).asked.join('\n'))).toMatchInlineSnapshot(`
    {
      "a contract is deployed": "read getNfts {"nftDatas":"0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781"}
    read getCode {"address":"0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9"}
    read getAvailableBroker {"type":0}
    read getNftOffchainFee {"accountId":10005,"requestType":13,"tokenAddress":"0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9"}
    recent getBalances {"accountId":10005} 30
    recent getTimestamp {} 10",
      "a pool is joined": "read getAmmPools {}
    read getOffchainFee {"accountId":10005,"requestType":8,"tokenSymbol":"ETH"}
    recent getBalances {"accountId":10005} 30
    read getAmmBalance {"poolAddress":"0x18920d6E6Fb7EbE057a4DD9260D6D95845c95036"}
    recent getTimestamp {} 10",
      "a pool is left": "read getAmmPools {}
    read getOffchainFee {"accountId":10005,"requestType":6,"tokenSymbol":"ETH"}
    recent getBalances {"accountId":10005} 30
    read getAmmBalance {"poolAddress":"0x18920d6E6Fb7EbE057a4DD9260D6D95845c95036"}
    recent getTimestamp {} 10",
      "an NFT is bought": "read getNfts {"nftDatas":"0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781"}
    read getNftOrderUserRateAmount {"accountId":10005,"nftTokenAddress":"0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9","feeTokenSymbol":"ETH"}",
      "an NFT is minted": "read computeTokenAddress {"nftFactory":"0xc852aC7aAe4b0f0a0Deb9e8A391ebA2047d80026","nftOwner":"0xAe72A48c1a36bd18Af168541c53037965d26e4A8","nftBaseUri":""}
    read getNftOffchainFee {"accountId":10005,"requestType":9,"tokenAddress":"0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9"}
    recent getBalances {"accountId":10005} 30
    recent getTimestamp {} 10",
      "an NFT is sent": "read getNftBalances {"accountId":10005,"tokenIds":"32769"}
    read getNfts {"nftDatas":"0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781"}
    find getAccount {"owner":"0x1111111111111111111111111111111111111111"} ["ADDRESS_NOT_FOUND","ACCOUNT_NOT_FOUND"]
    find getCode {"address":"0x1111111111111111111111111111111111111111"} ["L1_NODE_ERROR"]
    read getNftOffchainFee {"accountId":10005,"requestType":11}
    recent getBalances {"accountId":10005} 30",
      "an NFT is sold": "read getNftBalances {"accountId":10005,"tokenIds":"32769"}
    read getNfts {"nftDatas":"0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781"}
    read getNftOrderUserRateAmount {"accountId":10005,"nftTokenAddress":"0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9","feeTokenSymbol":"ETH"}",
      "an NFT is withdrawn": "read getNftBalances {"accountId":10005,"tokenIds":"32769"}
    read getNfts {"nftDatas":"0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781"}
    read getCode {"address":"0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9"}
    read getNftOffchainFee {"accountId":10005,"requestType":10,"tokenAddress":"0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9"}
    recent getBalances {"accountId":10005} 30
    recent getTimestamp {} 10
    find getCode {"address":"0x1111111111111111111111111111111111111111"} ["L1_NODE_ERROR"]",
    }
  `);
});

test('holds so much, and no member more', async () => {
  expect(await everyOf(async (name) => JSON.stringify((await draftOf(name)).draft.body))).toMatchInlineSnapshot(`
    {
      "a contract is deployed": "{"nftData":"0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781","tokenAddress":"0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9","transfer":{"exchange":"0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4","payerId":10005,"payerAddr":"0xAe72A48c1a36bd18Af168541c53037965d26e4A8","payeeId":0,"payeeAddr":"0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","token":{"tokenId":1,"volume":"4000"},"maxFee":{"tokenId":1,"volume":"0"},"validUntil":1800003600,"memo":"NFT-DEPLOY-CONTRACT->0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9"}}",
      "a pool is joined": "{"owner":"0xAe72A48c1a36bd18Af168541c53037965d26e4A8","poolAddress":"0x18920d6E6Fb7EbE057a4DD9260D6D95845c95036","joinTokens":{"pooled":[{"tokenId":1,"volume":"1000"},{"tokenId":0,"volume":"10"}],"minimumLp":{"tokenId":100,"volume":"1"}},"fee":"3","validUntil":1800003600}",
      "a pool is left": "{"owner":"0xAe72A48c1a36bd18Af168541c53037965d26e4A8","poolAddress":"0x18920d6E6Fb7EbE057a4DD9260D6D95845c95036","exitTokens":{"unPooled":[{"tokenId":1,"volume":"90000"},{"tokenId":0,"volume":"900"}],"burned":{"tokenId":100,"volume":"100"}},"maxFee":"3","validUntil":1800003600}",
      "an NFT is bought": "{"sellToken":{"tokenId":0,"amount":"10000"},"buyToken":{"tokenId":32770,"nftData":"0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781","amount":"2"},"fillAmountBOrS":true,"maxFeeBips":40,"exchange":"0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4","accountId":10005,"allOrNone":false,"validUntil":1802592000}",
      "an NFT is minted": "{"exchange":"0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4","minterId":10005,"minterAddress":"0xAe72A48c1a36bd18Af168541c53037965d26e4A8","toAccountId":10005,"toAddress":"0xAe72A48c1a36bd18Af168541c53037965d26e4A8","nftType":0,"tokenAddress":"0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9","nftId":"0x0000000000000000abababababababababababababababababababababababab","amount":"3","validUntil":1800003600,"creatorFeeBips":3,"royaltyPercentage":3,"maxFee":{"tokenId":0,"amount":"3000"},"forceToMint":false,"counterFactualNftInfo":{"nftFactory":"0xc852aC7aAe4b0f0a0Deb9e8A391ebA2047d80026","nftOwner":"0xAe72A48c1a36bd18Af168541c53037965d26e4A8","nftBaseUri":""},"royaltyAddress":"0x1111111111111111111111111111111111111111"}",
      "an NFT is sent": "{"exchange":"0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4","fromAccountId":10005,"fromAddress":"0xAe72A48c1a36bd18Af168541c53037965d26e4A8","toAccountId":0,"toAddress":"0x1111111111111111111111111111111111111111","token":{"tokenId":32769,"nftData":"0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781","amount":"2"},"maxFee":{"tokenId":0,"amount":"3000"},"validUntil":1802678400,"memo":"a gift"}",
      "an NFT is sold": "{"sellToken":{"tokenId":32769,"nftData":"0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781","amount":"2"},"buyToken":{"tokenId":0,"amount":"10000"},"clientOrderId":"mine","taker":"0x1111111111111111111111111111111111111111","exchange":"0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4","accountId":10005,"allOrNone":false,"fillAmountBOrS":false,"validUntil":1802592000,"maxFeeBips":20}",
      "an NFT is withdrawn": "{"exchange":"0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4","accountId":10005,"owner":"0xAe72A48c1a36bd18Af168541c53037965d26e4A8","to":"0x1111111111111111111111111111111111111111","token":{"tokenId":32769,"nftData":"0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781","amount":"5"},"maxFee":{"tokenId":0,"amount":"3000"},"validUntil":1800003600,"minGas":9,"extraData":"0x00ff"}",
    }
  `);
});

test('draws on the counter of what it moves or pays with, tells its fee and its receiver', async () => {
  expect(
    await everyOf(async (name) => {
      const { operation, draft } = await draftOf(name);
      return JSON.stringify([
        operation.storageSlot(draft),
        operation.fee?.(draft.body),
        operation.recipient?.(draft.body),
        operation.validUntil?.(draft.body),
      ]);
    }),
  ).toMatchInlineSnapshot(`
    {
      "a contract is deployed": "[{"tokenId":1,"parity":"offchain"},{"requestType":13,"tokenId":1,"volume":"4000"},"0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",1800003600]",
      "a pool is joined": "[{"tokenId":1,"parity":"offchain","alsoOf":0},{"requestType":8,"tokenId":0,"volume":"3"},null,null]",
      "a pool is left": "[{"tokenId":100,"parity":"offchain"},{"requestType":6,"tokenId":0,"volume":"3"},null,null]",
      "an NFT is bought": "[{"tokenId":0,"parity":"order"},null,null,null]",
      "an NFT is minted": "[{"tokenId":0,"parity":"offchain"},{"requestType":9,"tokenId":0,"volume":"3000"},null,null]",
      "an NFT is sent": "[{"tokenId":32769,"parity":"offchain"},{"requestType":11,"tokenId":0,"volume":"3000"},"0x1111111111111111111111111111111111111111",null]",
      "an NFT is sold": "[{"tokenId":32769,"parity":"order"},null,null,null]",
      "an NFT is withdrawn": "[{"tokenId":32769,"parity":"offchain"},{"requestType":10,"tokenId":0,"volume":"3000"},"0x1111111111111111111111111111111111111111",null]",
    }
  `);
});

const sentTo: Readonly<Record<string, string>> = {
  'an NFT is sent': 'transferNft',
  'an NFT is withdrawn': 'withdrawNft',
  'an NFT is minted': 'mintNft',
  'a contract is deployed': 'deployTokenAddress',
  'an NFT is sold': 'validateOrder',
  'an NFT is bought': 'none',
  'a pool is joined': 'joinAmmPool',
  'a pool is left': 'exitAmmPool',
};

test.each(names)('when %s, it is sent with its storage id, and never without one', async (name) => {
  const { operation, draft } = await draftOf(name);
  const storageId = operation.storageSlot(draft)?.parity === 'order' ? 4242 : 4243;
  const signed = await operation.sign(draft, storageId, { baseUrl: 'http://127.0.0.1:4510', chainId: 31337 }, keys);
  expect(signed.endpoint).toBe(sentTo[name]);
  expect(JSON.stringify(sentBody(signed))).toContain(`${storageId}`);
  await expectStorageIdNeeded(operation, draft);
});

test.each(['an NFT is minted', 'a contract is deployed'])(
  'when %s, a token that the account has pays, where the first of the quote is none',
  async (name) => {
    const balances = [{ tokenId: 1, total: '4000000', locked: '0', pending: { withdraw: '0', deposit: '0' } }];
    const { operation, draft } = await draftOf(name, { feeTokenId: undefined }, { recent: async () => balances });
    expect(operation.fee?.(draft.body)).toMatchObject({ tokenId: 1, volume: '4000' });
    expect(operation.review(draft, now).warnings.map(({ rule }) => rule)).not.toContain('fee-of-balance');
  },
);

test('quotes the fee of its kind before anything is filled in', async () => {
  expect(
    await everyOf(async (name) => {
      const { operation, answers } = samples[name] as Sample;
      const { facts, asked } = noting(factsWith(answers));
      await operation.feeQuote?.({ tokenId: 1, tokenAddress: CONTRACT }, facts);
      return asked.join('\n');
    }),
  ).toMatchInlineSnapshot(`
    {
      "a contract is deployed": "read getNftOffchainFee {"accountId":10005,"requestType":13,"tokenAddress":"0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9"}",
      "a pool is joined": "read getOffchainFee {"accountId":10005,"requestType":8,"tokenSymbol":"LRC"}",
      "a pool is left": "",
      "an NFT is bought": "",
      "an NFT is minted": "read getNftOffchainFee {"accountId":10005,"requestType":9,"tokenAddress":"0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9"}",
      "an NFT is sent": "read getNftOffchainFee {"accountId":10005,"requestType":11}",
      "an NFT is sold": "",
      "an NFT is withdrawn": "read getNftOffchainFee {"accountId":10005,"requestType":10,"tokenAddress":"0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9"}",
    }
  `);
});

test('compares its fee with what the exchange lists for its kind', async () => {
  const listed = Object.fromEntries(Array.from({ length: 20 }, (_, kind) => [kind, { 0: `${kind}`, 1: `${kind}` }]));
  const usual = await everyOf(async (name) => {
    const { draft } = await draftOf(name, {}, { listedFees: async () => listed });
    return draft.shown.fee?.bounds?.usual?.volume;
  });
  expect(usual).toEqual({
    'an NFT is sent': '11',
    'an NFT is withdrawn': '10',
    'an NFT is minted': '9',
    'a contract is deployed': '13',
    'an NFT is sold': undefined,
    'an NFT is bought': undefined,
    'a pool is joined': '8',
    'a pool is left': '6',
  });
});

const [owner, pool] = [BigInt(OWNER), BigInt(POOL)];
const move = (tokenId: number, amount: bigint, changes: object = {}): TransactionOf<'Transfer'> => ({
  type: 'Transfer',
  kind: 0,
  fromId: ACCOUNT_ID,
  toId: 10_010,
  tokenId,
  amount,
  feeTokenId: 0,
  fee: 0n,
  storageId: 7,
  to: BigInt(FRIEND),
  from: owner,
  toTokenId: 0,
  ...changes,
});
const traded = (changes: object): TransactionOf<'SpotTrade'> => ({
  type: 'SpotTrade',
  storageA: 7,
  storageB: 40,
  accountA: ACCOUNT_ID,
  accountB: 1,
  tokenA: 0,
  tokenB: 0,
  fillA: 2n,
  fillB: 2n,
  flagsA: 0,
  flagsB: 0,
  boughtTokenA: 0,
  boughtTokenB: 0,
  feeHighA: 0,
  feeHighB: 0,
  ...changes,
});
/** What carries each out; the first one uses up its storage id. */
const carriedOut: Readonly<Record<string, readonly [number, readonly Transaction[]]>> = {
  'an NFT is sent': [0, [move(SLOT, 2n, { toTokenId: SLOT, fee: 3_000n })]],
  'an NFT is minted': [
    0,
    [
      {
        ...{ type: 'NftMint', kind: 0, minterId: ACCOUNT_ID, toTokenId: SLOT, feeTokenId: 0, fee: 3_000n, amount: 3n },
        ...{ storageId: 7, nftType: 0, tokenAccountId: 7, nftId: BigInt(NFT_ID), creatorFeeBips: 3 },
      } as TransactionOf<'NftMint'>,
    ],
  ],
  'a contract is deployed': [0, [move(1, 4_000n, { to: BigInt(BROKER), feeTokenId: 1 })]],
  'an NFT is sold': [0, [traded({ tokenA: SLOT, fillB: 10_000n, flagsA: 20 })]],
  'an NFT is bought': [0, [traded({ tokenB: SLOT, fillA: 10_000n, flagsA: 0x80 | 40 })]],
  'a pool is joined': [
    1,
    [
      move(1, 1_000n, { to: pool }),
      move(0, 10n, { to: pool, fee: 3n }),
      move(100, 1n, { from: pool, to: owner, storageId: 0 }),
    ],
  ],
  'a pool is left': [
    2,
    [
      move(1, 90_000n, { from: pool, to: owner, storageId: 0 }),
      move(0, 900n, { from: pool, to: owner, storageId: 0 }),
      move(100, 100n, { to: pool, fee: 3n }),
    ],
  ],
};

test.each(Object.keys(carriedOut))(
  'when %s, a block with its storage id and its terms carries it out',
  async (name) => {
    const { operation, draft } = await draftOf(name);
    const [index, transactions] = carriedOut[name] as (typeof carriedOut)[string];
    const own = transactions[index] as Transaction;
    const dear = { ...own, ...('fee' in own ? { fee: 4_001n } : { flagsA: 63 }) } as Transaction;
    const isOf = (storageId: number) => operation.executedAs?.(draft.body, storageId).isOf(own);
    const fits = (one: Transaction) =>
      operation.executedAs?.(draft.body, 7).fits([{ transactions: transactions.with(index, one), index }]);
    expect([isOf(7), isOf(9), fits(own), fits(dear)]).toEqual([true, false, true, false]);
  },
);

const [nftRow] = samplesOf.getNftMints.transfers;
const inBlock = { hash: '0x7', blockIdInfo: { blockId: 9, indexInBlock: 0 } };
const amm = { ...samplesOf.getAmmTransactions.transactions[0], hash: '0x7', blockId: 9 };
const histories: Readonly<Record<string, Answers>> = {
  'an NFT is sent': {
    getNftTransfers: () => ({ totalNum: 1, transfers: [{ ...samplesOf.getNftTransfers.transfers[0], ...inBlock }] }),
  },
  'an NFT is minted': { getNftMints: () => ({ totalNum: 1, transfers: [{ ...nftRow, ...inBlock }] }) },
  'a contract is deployed': {
    getCode: () => code('0x'),
    getTransfers: () => ({ totalNum: 1, transactions: [historyRow({ status: 'failed' })] }),
  },
  'a pool is joined': { getAmmTransactions: () => ({ totalNum: 1, transactions: [amm] }) },
  'a pool is left': { getAmmTransactions: () => ({ totalNum: 1, transactions: [{ ...amm, txType: 'exit' }] }) },
};

test('is found in the list of its kind by its hash, with its block', async () => {
  const found = await Promise.all(
    Object.entries(histories).map(async ([name, answers]) => {
      const { operation, draft } = await draftOf(name);
      const { facts, asked } = noting(factsWith(answers));
      const submitted = submittedWith({ body: draft.body });
      const state = (await operation.settle.find?.(submitted, facts))?.state;
      const reads = asked.join('\n');
      const blocks = await operation.settle.blocks?.(submitted, facts);
      return [name, `${state} in block ${blocks?.blockIds}: ${reads}`];
    }),
  );
  expect(Object.fromEntries(found)).toMatchInlineSnapshot(`
    {
      "a contract is deployed": "failed in block 9: read getTransfers {"accountId":10005,"hashes":"0x0000000000000000000000000000000000000000000000000000000000000007"}",
      "a pool is joined": "processed in block 9: read getAmmTransactions {"accountId":10005,"ammPoolAddress":"0x18920d6E6Fb7EbE057a4DD9260D6D95845c95036","txTypes":"join","limit":50,"offset":0}",
      "a pool is left": "processed in block 9: read getAmmTransactions {"accountId":10005,"ammPoolAddress":"0x18920d6E6Fb7EbE057a4DD9260D6D95845c95036","txTypes":"exit","limit":50,"offset":0}",
      "an NFT is minted": "processed in block 9: read getNftMints {"accountId":10005,"hashes":"0x0000000000000000000000000000000000000000000000000000000000000007"}",
      "an NFT is sent": "processed in block 9: read getNftTransfers {"accountId":10005,"hashes":"0x0000000000000000000000000000000000000000000000000000000000000007"}",
    }
  `);
});

test.each<[string, object, object]>([
  ['an NFT is minted', { nftTokenId: SLOT }, { nftData: NFT_DATA, nftTokenId: SLOT }],
  ['an NFT is minted', {}, { nftData: NFT_DATA, nftTokenId: null }],
  ['a contract is deployed', { hash: '0x5' }, { txHash: '0x5', tokenAddress: CONTRACT }],
  ['a contract is deployed', {}, { txHash: null, tokenAddress: CONTRACT }],
  ['an NFT is sold', {}, { order: { storageId: 7 } }],
])('when %s and the relayer answers %j, the site gets what came of it', async (name, ack, result) => {
  const { operation, draft } = await draftOf(name);
  const submitted = submittedWith({ body: draft.body, signedBody: { storageId: 7 }, ack: ack as never });
  expect(operation.result?.(submitted)).toEqual(result);
});
