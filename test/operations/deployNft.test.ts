import { describe, expect, test } from 'vitest';
import { deployNft } from '../../src/operations/deployNft.ts';
import type { KnownAddress } from '../../src/operations/operation.ts';
import {
  endpoints,
  requestHash,
  requestMessage,
  transferHash,
  transferTypedData,
  ZERO_ADDRESS,
} from '../../src/protocol/index.ts';
import { CONTRACT, code, NFT_DATA, nftAnswers, nftInfo } from './nftSupport.ts';
import {
  ACCOUNT_ID,
  type Answers,
  DAY,
  FRIEND,
  factsWith,
  isSignedBy,
  keys,
  now,
  OWNER,
  refusalOf,
  rowsOf,
  rulesOf,
  sentBody,
  tokens,
  verifiesEddsa,
} from './support.ts';

const BROKER = `0x${'b'.repeat(40)}`;
const answers: Answers = { ...nftAnswers, getAvailableBroker: () => ({ broker: BROKER }) };
const facts = factsWith(answers);
const asked = { nftData: NFT_DATA, tokenAddress: CONTRACT };
const draftOf = (changes: object = {}) => deployNft.prepare(deployNft.intent().parse({ ...asked, ...changes }), facts);

test.each([
  ['a contract that is deployed', {}, { getCode: () => code('0x60') }, 'tokenAddress: is deployed already'],
  [
    'an NFT of another contract',
    {},
    { getNfts: () => [{ ...nftInfo, tokenAddress: FRIEND }] },
    `nftData: is no NFT of the contract ${CONTRACT}`,
  ],
  [
    'a broker that is the payer',
    {},
    { getAvailableBroker: () => ({ broker: OWNER }) },
    `tokenAddress: cannot be deployed: the relayer names ${OWNER} as its broker`,
  ],
  [
    'no broker',
    {},
    { getAvailableBroker: () => ({ broker: ZERO_ADDRESS }) },
    `tokenAddress: cannot be deployed: the relayer names ${ZERO_ADDRESS} as its broker`,
  ],
  ['an NFT that nobody knows', {}, { getNfts: () => [] }, `nftData: is no NFT of the contract ${CONTRACT}`],
  ['a fee token without a quote', { feeTokenId: 2 }, {}, 'maxFee.tokenId: fees are not paid in token 2'],
])('names the field of %s', async (_what, changes, given, message) => {
  expect(await refusalOf(deployNft, { ...asked, ...changes }, factsWith({ ...answers, ...given }))).toBe(message);
});

test('pays exactly the quote to the broker, with no further fee, and shows every token that could pay', async () => {
  const draft = await draftOf({ feeTokenId: 1 });
  expect(draft.body.transfer).toMatchObject({
    payerId: ACCOUNT_ID,
    payeeId: 0,
    payeeAddr: BROKER,
    token: { tokenId: 1, volume: '4000' },
    maxFee: { tokenId: 1, volume: '0' },
    memo: `NFT-DEPLOY-CONTRACT->${CONTRACT}`,
  });
  const review = deployNft.review(draft, now);
  expect(rowsOf(review)).toMatchObject({
    review_pay: { kind: 'amount', volume: '4000', token: tokens[1] },
    review_broker: { kind: 'address', address: BROKER },
    review_nftContract: { kind: 'address', address: CONTRACT },
    review_feeAlternative: { kind: 'amount', volume: '3000', token: tokens[0] },
  });
  expect(rulesOf(review)).toEqual(['pays-new-broker']);
  expect(deployNft.storageSlot(draft)).toEqual({ tokenId: 1, parity: 'offchain' });
  expect(deployNft.validUntil?.(draft.body)).toBe(draft.body.transfer.validUntil);
});

test.each([
  ['is in the address book', { label: 'Ben', source: 'book' }, 'pays-new-broker'],
  ['was paid by another account', { source: 'sent', accountId: ACCOUNT_ID + 1 }, 'pays-new-broker'],
  ['was paid by this account', { source: 'sent', accountId: ACCOUNT_ID }, 'pays-broker'],
  ['was its broker before', { source: 'broker', accountId: ACCOUNT_ID }, 'pays-broker'],
  ['was the broker of another account', { source: 'broker', accountId: ACCOUNT_ID + 1 }, 'pays-new-broker'],
] as const)('a broker that %s', async (_what, known, rule) => {
  const draft = await deployNft.prepare(asked, factsWith(answers, [{ address: BROKER, ...known }]));
  expect(rulesOf(deployNft.review(draft, now))).toEqual([rule]);
});

test('a broker that looks like a known address is a danger, also one that was paid before', async () => {
  const friend = {
    address: `${BROKER.slice(0, 10)}${'0'.repeat(28)}${BROKER.slice(-4)}`,
    label: 'Ben',
    source: 'book',
  } as const;
  const paid = { address: BROKER, source: 'broker', accountId: ACCOUNT_ID } as const;
  const rules = async (...known: readonly KnownAddress[]) =>
    rulesOf(deployNft.review(await deployNft.prepare(asked, factsWith(answers, known)), now));
  expect(await rules(friend)).toEqual(['recipient-lookalike', 'pays-new-broker']);
  expect(await rules(friend, paid)).toEqual(['recipient-lookalike', 'pays-broker']);
});

test('signs the payment with both keys, and the exact body for the header', async () => {
  const draft = await draftOf();
  const signed = await deployNft.sign(draft, 7, facts, keys);
  const sent = sentBody(signed) as { transfer: Record<string, unknown> };
  const { eddsaSignature, ecdsaSignature, ...transfer } = sent.transfer;
  expect(transfer).toEqual({ ...draft.body.transfer, storageId: 7 });
  const payment = { ...draft.body.transfer, storageId: 7 };
  expect(verifiesEddsa(eddsaSignature, transferHash(payment))).toBe(true);
  expect(await isSignedBy(transferTypedData(facts.chainId, payment), ecdsaSignature, OWNER)).toBe(true);
  const { method, path } = endpoints.deployTokenAddress;
  const { bodyText } = signed;
  const message = requestMessage({ method, baseUrl: facts.baseUrl, path, ...(bodyText ? { bodyText } : {}) });
  expect(verifiesEddsa(signed.signature, requestHash(message))).toBe(true);
});

describe('its end', () => {
  const submitted = async () => ({
    accountId: ACCOUNT_ID,
    hash: '0x0a',
    body: { ...(await draftOf()).body },
    signedBody: {},
    query: {},
    ack: {},
  });
  const payment = (status: string) => ({
    totalNum: 1,
    transactions: [
      {
        id: 1,
        hash: '0xa',
        txType: 'TRANSFER',
        symbol: 'ETH',
        amount: '1',
        feeTokenSymbol: 'ETH',
        feeAmount: '0',
        status,
        progress: '',
        timestamp: 1,
        updatedAt: 1,
        blockId: 0,
        indexInBlock: 0,
      },
    ],
  });

  test.each([
    ['code has appeared', '0x60', 'received', { state: 'processed', ack: {}, note: `${CONTRACT} has code` }],
    ['only the payment went through', '0x', 'processed', { state: 'open', ack: {} }],
    ['the payment failed', '0x', 'failed', { state: 'failed', ack: {} }],
    ['the payment failed and somebody else had it deployed', '0x60', 'failed', { state: 'failed', ack: {} }],
  ])('is looked up where %s', async (_when, found, status, outcome) => {
    const reads = factsWith({ getCode: () => code(found), getTransfers: () => payment(status) });
    expect(await deployNft.settle.find?.(await submitted(), reads)).toEqual(outcome);
  });

  test.each([
    [8, 8, 'processed', 'failed'],
    [8, 6, 'processed', 'open'],
    [6, 8, 'processed', 'open'],
    [8, 8, 'received', 'open'],
  ])(
    '%i and %i days by the two clocks after its end, with a payment that is %s, is %s',
    async (own, told, status, state) => {
      const request = await submitted();
      const end = (await draftOf()).body.transfer.validUntil;
      const given = { getCode: () => code('0x'), getTransfers: () => payment(status) };
      const reads = {
        ...factsWith({ ...given, getTimestamp: () => ({ timestamp: (end + told * DAY) * 1000 }) }),
        now: end + own * DAY,
      };
      expect((await deployNft.settle.find?.(request, reads))?.state).toBe(state);
    },
  );

  test('is not what somebody else had deployed, unless the relayer took the request', async () => {
    const none = { getTransfers: () => ({ totalNum: 0, transactions: [] }) };
    const reads = factsWith({ getCode: () => code('0x60'), ...none });
    expect(await deployNft.settle.find?.(await submitted(), reads)).toBeNull();
    const ack = { hash: '0x1', status: 'SEND_TX_SUCCESS' };
    expect(await deployNft.settle.find?.({ ...(await submitted()), ack }, reads)).toMatchObject({
      ...{ state: 'processed', ack },
    });
  });

  test('is told by no acknowledgement', () => {
    const ack = { status: 'processed' };
    expect(deployNft.settle.outcomeOf(ack)).toEqual({ state: 'open', ack });
  });

  test('is unknown when neither code nor payment is there, and is looked for every 15 seconds', async () => {
    const reads = factsWith({ getCode: () => code('0x'), getTransfers: () => ({ totalNum: 0, transactions: [] }) });
    expect(await deployNft.settle.find?.(await submitted(), reads)).toBeNull();
    expect(deployNft.settle.pollIntervalMs).toBe(15_000);
  });
});

test('warns when it is valid for long', async () => {
  const review = deployNft.review(await draftOf({ validUntil: now + 59 * DAY }), now);
  expect(rulesOf(review)).toEqual(['validity-long', 'pays-new-broker']);
});
