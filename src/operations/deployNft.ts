import { formatSignature } from '../crypto/index.ts';
import {
  address,
  bodyText,
  type EndpointBody,
  endpoints,
  erc20TokenId,
  feeRequestTypes,
  formatHash,
  nftData,
  requestHash,
  requestMessage,
  seconds,
  transferBoundFields,
  transferHash,
  transferTypedData,
  ZERO_ADDRESS,
} from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { DAY_SECONDS } from '../protocol/time.ts';
import { z } from '../protocol/zod.ts';
import { contractFee, type FeeQuote, feeFrom, feeOffers, quoteNote } from './fees.ts';
import { ownerDeadline } from './intentFields.ts';
import { nftParts } from './nftSlot.ts';
import { IntentError, type Operation, splitFields } from './operation.ts';
import { counterFactual } from './ownerApproval.ts';
import { type BookName, bookNameOf, contractRow, recipientOf, recipientRow } from './recipient.ts';
import type { ReviewRow, TokenFacts } from './review.ts';
import { requestSettlement } from './settlement.ts';
import { executedTransfer } from './transfer.ts';
import type { Recipient } from './warningFacts.ts';
import { warningsOf } from './warnings.ts';

/** The interface document asks to look for the code every 15 seconds. */
const POLL_INTERVAL_MS = 15_000;
/** Without code so long after its end, a paid deployment has failed; an operator may repeat it. */
const GIVEN_UP_AFTER_SECONDS = 7 * DAY_SECONDS;

const intent = once(() =>
  z.strictObject({
    account: z.optional(address()),
    /** An NFT of the contract. */
    nftData: nftData(),
    tokenAddress: address(),
    /** Token that pays the deployment; when absent, the first whose balance covers it. */
    feeTokenId: z.optional(erc20TokenId()),
    validUntil: z.optional(seconds()),
  }),
);

export type DeployNftIntent = z.output<ReturnType<typeof intent>>;
type FullBody = EndpointBody<'deployTokenAddress'>;
type FeeTransfer = Omit<FullBody['transfer'], 'storageId' | 'eddsaSignature' | 'ecdsaSignature'>;
type Body = Omit<FullBody, 'transfer'> & { readonly transfer: FeeTransfer };

interface Shown extends BookName {
  /** Of the NFT that names the contract; 0x + 64 hex digits. */
  readonly nftId: string;
  readonly broker: Recipient;
  readonly fee: FeeQuote;
  /** The relayer's fee in each token that it takes. */
  readonly offers: readonly { readonly token: TokenFacts; readonly volume: string }[];
}

/** Settlement by the transfer to the broker, which is what is signed. */
const payments = requestSettlement(async (query, reads) => (await reads.read('getTransfers', { query })).transactions);

/** Has the relayer deploy an NFT contract on L1, paid by a transfer to its broker. */
export const deployNft: Operation<DeployNftIntent, Body, Shown> = {
  name: 'deployNft',
  method: 'relayer_deployNft',
  permission: 'nfts',
  group: 'nfts',
  own: true,
  feeQuote: ({ tokenAddress }, facts) => contractFee(feeRequestTypes.NFT_DEPLOY, tokenAddress, facts),
  ownerApproves: true,
  intent,
  settle: {
    // The acknowledgement names the L1 transaction.
    reportsHash: false,
    pollIntervalMs: POLL_INTERVAL_MS,
    outcomeOf: (ack) => ({ state: 'open', ack }),
    async find(submitted, reads) {
      const { ack } = submitted;
      const { tokenAddress, transfer } = submitted.body as unknown as Body;
      const payment = await payments.find(submitted, reads);
      if (payment?.state === 'failed') return { state: 'failed', ack };
      const { result: code } = await reads.read('getCode', { body: { address: tokenAddress } });
      // Anybody can have the contract deployed, and a payment that went through is not that yet.
      if (code !== '0x' && (payment || ack.status !== undefined))
        return { state: 'processed', ack, note: `${tokenAddress} has code` };
      const last = transfer.validUntil + GIVEN_UP_AFTER_SECONDS;
      if (
        payment?.state === 'processed' &&
        reads.now > last &&
        (await reads.read('getTimestamp', {})).timestamp > last * 1000
      )
        return { state: 'failed', ack, note: `paid, and ${tokenAddress} has no code` };
      return payment && { state: 'open', ack };
    },
    blocks: payments.blocks,
  },
  executedAs: ({ transfer }, storageId) => executedTransfer(transfer, storageId),
  validUntil: ({ transfer }) => transfer.validUntil,
  recipient: ({ transfer }) => transfer.payeeAddr,
  paysBroker: true,
  fee: ({ transfer }) => ({ requestType: feeRequestTypes.NFT_DEPLOY, ...transfer.token }),
  result: ({ ack, body }) => ({ txHash: ack.hash ?? null, tokenAddress: body.tokenAddress }),

  async prepare(asked, facts) {
    const { accountId: payerId, owner } = facts.account;
    const { tokenAddress } = asked;
    const nft = await nftParts(asked.nftData, facts);
    if (nft?.tokenAddress.toLowerCase() !== tokenAddress.toLowerCase())
      throw new IntentError('nftData', `is no NFT of the contract ${tokenAddress}`);
    const { result: code } = await facts.read('getCode', { body: { address: tokenAddress } });
    if (code !== '0x') throw new IntentError('tokenAddress', 'is deployed already');
    const { broker } = await facts.read('getAvailableBroker', { query: { type: 0 } });
    if (broker.toLowerCase() === owner.toLowerCase() || broker === ZERO_ADDRESS)
      throw new IntentError('tokenAddress', `cannot be deployed: the relayer names ${broker} as its broker`);
    const requestType = feeRequestTypes.NFT_DEPLOY;
    const fees = await contractFee(requestType, tokenAddress, facts);
    const fee = await feeFrom(fees, { feeTokenId: asked.feeTokenId }, { requestType }, facts);
    const { tokenId } = fee.token;
    return {
      body: {
        nftData: asked.nftData,
        tokenAddress,
        transfer: {
          exchange: facts.exchangeAddress,
          payerId,
          payerAddr: owner,
          payeeId: 0,
          payeeAddr: broker,
          token: { tokenId, volume: fee.volume },
          maxFee: { tokenId, volume: '0' },
          validUntil: await ownerDeadline(asked.validUntil, facts),
          memo: `NFT-DEPLOY-CONTRACT->${tokenAddress}`,
          ...counterFactual(facts),
        },
      },
      shown: {
        nftId: formatHash(BigInt(nft.nftId)),
        broker: await recipientOf(broker, facts),
        fee,
        offers: await feeOffers(fees, facts),
        ...(await bookNameOf(tokenAddress, facts)),
      },
    };
  },

  review({ body: { transfer, ...body }, shown: { nftId, broker, fee, offers, ...name } }, now) {
    const pay = { kind: 'amount', volume: transfer.token.volume, token: fee.token } as const;
    const rows: ReviewRow[] = [
      {
        label: { key: 'review_pay' },
        value: pay,
        emphasis: 'pay',
        leaves: true,
        ...quoteNote(fee),
      },
      ...recipientRow(broker, 'review_broker', { key: 'review_brokerNote' }),
      { label: { key: 'review_expires' }, value: { kind: 'time', seconds: transfer.validUntil } },
      { ...contractRow('review_nftContract', body.tokenAddress, name), unsigned: true },
      { label: { key: 'review_nftData' }, value: { kind: 'hex', hex: body.nftData }, unsigned: true, detail: true },
      ...offers
        .filter(({ token }) => token.tokenId !== fee.token.tokenId)
        .map(({ token, volume }) => ({
          label: { key: 'review_feeAlternative' },
          value: { kind: 'amount', volume, token } as const,
          detail: true as const,
        })),
    ];
    return {
      sentence: {
        key: 'review_deployNft',
        values: { amount: pay, contract: { kind: 'address', address: body.tokenAddress } },
      },
      rows,
      nft: { nftId },
      warnings: warningsOf({
        now,
        request: { validUntil: transfer.validUntil },
        fee,
        broker: { recipient: broker, volume: transfer.token.volume, token: fee.token },
      }),
      // Both signatures are over the payment; what it is for stands beside them.
      ...splitFields(
        { ...body, transfer },
        [...transferBoundFields, 'payerAddr'].map((path) => `transfer.${path}`),
      ),
    };
  },

  storageSlot: ({ body }) => ({ tokenId: body.transfer.token.tokenId, parity: 'offchain' }),

  async sign({ body }, storageId, { chainId, baseUrl }, keys) {
    if (storageId === null) throw new Error('deployNft is signed with a storage id');
    const transfer = { ...body.transfer, storageId };
    const hash = transferHash(transfer);
    const { fields } = await keys.approveByOwner(transferTypedData(chainId, transfer));
    const eddsaSignature = formatSignature(await keys.signEddsa(hash));
    const text = bodyText({ ...body, transfer: { ...transfer, eddsaSignature, ...fields } });
    const { method, path } = endpoints.deployTokenAddress;
    const header = requestHash(requestMessage({ method, baseUrl, path, bodyText: text }));
    return {
      endpoint: 'deployTokenAddress',
      bodyText: text,
      signature: formatSignature(await keys.signEddsa(header)),
      hash: formatHash(hash),
    };
  },
};
