/** The operations: what the user is asked to approve, and is then submitted. */
import type { Hex } from 'viem';
import { askFor, type RelayerClient } from '../ask.ts';
import type {
  CancelAllOrdersParameters,
  CancelOrderParameters,
  DeployNftParameters,
  ExitAmmPoolParameters,
  HardCancelParameters,
  JoinAmmPoolParameters,
  MintNftParameters,
  ReplaceOrderParameters,
  SignedNftOrder,
  SignNftOrderParameters,
  SubmitOneOfParameters,
  SubmitOrderParameters,
  TransferNftParameters,
  TransferParameters,
  UpdateAccountKeyParameters,
  WithdrawNftParameters,
  WithdrawParameters,
} from '../generated/methods.ts';
import type { RelayerErrorName } from '../generated/statuses.ts';
import type { OrderSubmission, Submission } from '../submission.ts';

export type SubmitOrderReturnType = OrderSubmission;
export type CancelOrderReturnType = OrderSubmission;
export type ReplaceOrderReturnType = OrderSubmission;
export type SubmitOneOfReturnType = OrderSubmission;
export type HardCancelReturnType = Submission;
export type TransferReturnType = Submission;
export type WithdrawReturnType = Submission;
export type JoinAmmPoolReturnType = Submission;
export type ExitAmmPoolReturnType = Submission;
export type TransferNftReturnType = Submission;
export type WithdrawNftReturnType = Submission;

/**
 * Asks for an order: limit, maker-only, taker-only, against a pool (`orderType: 'AMM'` with
 * `poolAddress`), or for one `taker` alone. Amounts are base units. Opens the approval window;
 * settles when the relayer has answered. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * const order = await client.relayer.submitOrder({
 *   sellToken: { tokenId: 1, volume: parseEther('1000') },
 *   buyToken: { tokenId: 0, volume: parseEther('0.5') },
 * });
 */
export function submitOrder(client: RelayerClient, parameters: SubmitOrderParameters): Promise<SubmitOrderReturnType> {
  return askFor(client, 'relayer_submitOrder', parameters, true);
}

/**
 * Asks to cancel one order, named by `orderHash` or by `clientOrderId`; exactly one of them. Opens
 * the approval window; settles when the relayer has answered. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.cancelOrder({ orderHash: order.hash });
 */
export function cancelOrder(client: RelayerClient, parameters: CancelOrderParameters): Promise<CancelOrderReturnType> {
  return askFor(client, 'relayer_cancelOrder', parameters, true);
}

/** Outcome of one order of a cancellation. */
export interface CancelledOrder {
  readonly orderHash: Hex;
  /**
   * False: it was not open any more, or `code` says why not. Absent: the relayer answers for all of
   * them together; `waitForSubmission` tells.
   */
  readonly cancelled?: boolean;
  /** The relayer's code of the refusal. */
  readonly code?: number;
  /** Its name, where the code is known. */
  readonly name?: RelayerErrorName;
}

export interface CancelAllOrdersReturnType extends Submission {
  /**
   * Orders that were to be cancelled. An order of `orderHashes` that is missing here had ended by
   * what the wallet knew, or was not placed by this site.
   */
  readonly orders: readonly CancelledOrder[];
}

/**
 * Asks to cancel the open orders that this site has placed with the wallet, those of unknown
 * outcome among them, or of all these the ones in `orderHashes`, at most 10 at once. Orders of
 * other sites stay. Opens one approval window; settles when the relayer has answered, with an
 * outcome for each order. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * const { orders } = await client.relayer.cancelAllOrders({ orderHashes: [hash] });
 * const open = orders.filter(({ cancelled }) => !cancelled);
 */
export function cancelAllOrders(
  client: RelayerClient,
  parameters: CancelAllOrdersParameters = {},
): Promise<CancelAllOrdersReturnType> {
  return askFor(client, 'relayer_cancelAllOrders', parameters, true);
}

/**
 * Asks to replace an open order of this wallet. The new one takes its slot, and the relayer ends
 * the old one when it takes the new one. The exchange refuses the old one once the new one has
 * filled in part; until then a dishonest relayer could fill both, which `hardCancel` excludes. What
 * the old one had filled stays. Opens the approval window. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.replaceOrder({
 *   replaces: order.hash,
 *   sellToken: { tokenId: 1, volume: parseEther('1000') },
 *   buyToken: { tokenId: 0, volume: parseEther('0.4') },
 * });
 */
export function replaceOrder(
  client: RelayerClient,
  parameters: ReplaceOrderParameters,
): Promise<ReplaceOrderReturnType> {
  return askFor(client, 'relayer_replaceOrder', parameters, true);
}

/**
 * Asks for several orders, one of which is meant to fill. Each is signed only after the relayer
 * refused the one before or ended it with nothing filled. Once one has filled in part, the exchange
 * refuses those before it, but not those after it. Opens the approval window. Needs the permission
 * *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.submitOneOf({
 *   orders: [
 *     { sellToken, buyToken, orderType: 'TAKER_ONLY' },
 *     { sellToken, buyToken, orderType: 'MAKER_ONLY' },
 *   ],
 * });
 */
export function submitOneOf(client: RelayerClient, parameters: SubmitOneOfParameters): Promise<SubmitOneOfReturnType> {
  return askFor(client, 'relayer_submitOneOf', parameters, true);
}

/**
 * Asks to end an order of this wallet for good: the least amount that the exchange takes is traded
 * in its slot, after which no proof with the old order can exist. Costs that little trade and its
 * fee. Opens the approval window. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.hardCancel({ orderHash: order.hash });
 */
export function hardCancel(client: RelayerClient, parameters: HardCancelParameters): Promise<HardCancelReturnType> {
  return askFor(client, 'relayer_hardCancel', parameters, true);
}

/**
 * Asks to send tokens to another account of the exchange. Opens the approval window; settles when
 * the relayer has answered. Needs the permission *transfers*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * const sent = await client.relayer.transfer({
 *   token: { tokenId: 1, volume: parseEther('5') },
 *   payeeAddr: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 * });
 */
export function transfer(client: RelayerClient, parameters: TransferParameters): Promise<TransferReturnType> {
  return askFor(client, 'relayer_transfer', parameters, true);
}

/**
 * Asks to pay tokens out to layer 1; to the owner unless `to` is given. Opens the approval window;
 * settles when the relayer has answered. Needs the permission *withdrawals*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.withdraw({ token: { tokenId: 1, volume: parseEther('100') } });
 */
export function withdraw(client: RelayerClient, parameters: WithdrawParameters): Promise<WithdrawReturnType> {
  return askFor(client, 'relayer_withdraw', parameters, true);
}

/**
 * Asks to put the two tokens of a pool into it, for at least `minimumLp` of its LP tokens. Opens
 * the approval window; settles when the relayer has answered. Needs the permission *pools*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.joinAmmPool({
 *   poolAddress,
 *   joinTokens: {
 *     pooled: [{ tokenId: 1, volume: parseUnits('1500', 18) }, { tokenId: 0, volume: parseEther('0.1') }],
 *     minimumLp: { tokenId: 100, volume: parseUnits('1490', 18) },
 *   },
 * });
 */
export function joinAmmPool(client: RelayerClient, parameters: JoinAmmPoolParameters): Promise<JoinAmmPoolReturnType> {
  return askFor(client, 'relayer_joinAmmPool', parameters, true);
}

/**
 * Asks to burn LP tokens for the two tokens of a pool, at least `unPooled`. Opens the approval
 * window; settles when the relayer has answered. Needs the permission *pools*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.exitAmmPool({
 *   poolAddress,
 *   exitTokens: { burned, unPooled: [{ tokenId: 1, volume: leastLrc }, { tokenId: 0, volume: leastEth }] },
 * });
 */
export function exitAmmPool(client: RelayerClient, parameters: ExitAmmPoolParameters): Promise<ExitAmmPoolReturnType> {
  return askFor(client, 'relayer_exitAmmPool', parameters, true);
}

export interface MintNftReturnType extends Submission {
  /** L2 identifier of the NFT. */
  readonly nftData: Hex;
  /** Slot of the account that it lies in; `null` while the relayer has not said. */
  readonly nftTokenId: number | null;
}

/**
 * Asks to mint NFTs of an IPFS name (`cid`) or its digest (`nftId`). Opens the approval window;
 * settles when the relayer has answered. Needs the permission *nfts*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * const minted = await client.relayer.mintNft({ cid: 'QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR', amount: 5n });
 */
export function mintNft(client: RelayerClient, parameters: MintNftParameters): Promise<MintNftReturnType> {
  return askFor(client, 'relayer_mintNft', parameters, true);
}

/**
 * Asks to send NFTs to another account of the exchange. The signature names the slot; the wallet
 * checks what lies in it. Opens the approval window; settles when the relayer has answered. Needs
 * the permission *nfts*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.transferNft({ token: { tokenId, nftData, amount: 1n }, toAddress });
 */
export function transferNft(client: RelayerClient, parameters: TransferNftParameters): Promise<TransferNftReturnType> {
  return askFor(client, 'relayer_transferNft', parameters, true);
}

/**
 * Asks to pay NFTs out to layer 1. Their contract has to be deployed there; `deployNft` does that.
 * Opens the approval window; settles when the relayer has answered. Needs the permission *nfts*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.withdrawNft({ token: { tokenId, nftData, amount: 1n } });
 */
export function withdrawNft(client: RelayerClient, parameters: WithdrawNftParameters): Promise<WithdrawNftReturnType> {
  return askFor(client, 'relayer_withdrawNft', parameters, true);
}

export interface DeployNftReturnType extends Submission {
  /**
   * L1 transaction of the deployment; `null` when the relayer does not name it, absent with
   * `awaiting-approval`.
   */
  readonly txHash?: string | null;
  /** Contract that is deployed; absent with `awaiting-approval`. */
  readonly tokenAddress?: Hex;
}

/**
 * Asks to pay the relayer's broker for deploying the contract of an NFT on layer 1. It ends when
 * the contract has code there. Opens the approval window; settles when the relayer has answered.
 * Needs the permission *nfts*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.deployNft({ nftData, tokenAddress });
 */
export function deployNft(client: RelayerClient, parameters: DeployNftParameters): Promise<DeployNftReturnType> {
  return askFor(client, 'relayer_deployNft', parameters, true);
}

export interface SignNftOrderReturnType extends Submission {
  /** The signed order, as the other side needs it. */
  readonly order: SignedNftOrder;
}

/**
 * Asks for a signed sale or purchase of an NFT, for the site that brings the two sides together.
 * With `validate` the relayer checks it first. Opens the approval window; settles when the relayer
 * has answered. Needs the permission *nfts*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * const { order } = await client.relayer.signNftOrder({
 *   sellToken: { tokenId, nftData, amount: 1n },
 *   buyToken: { tokenId: 0, amount: parseEther('0.1') },
 * });
 */
export function signNftOrder(
  client: RelayerClient,
  parameters: SignNftOrderParameters,
): Promise<SignNftOrderReturnType> {
  return askFor(client, 'relayer_signNftOrder', parameters, true);
}

export interface UpdateAccountKeyReturnType extends Submission {
  /**
   * The key that takes the old one's place once the relayer has carried it out; absent with
   * `awaiting-approval`.
   */
  readonly publicKey?: { readonly x: string; readonly y: string };
}

/**
 * Asks for a new account key. The user chooses in the wallet which one and how it is
 * kept; open orders and standing approvals end with the old key. Needs the permission *key*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, …
 * @example
 * await client.relayer.updateAccountKey();
 */
export function updateAccountKey(
  client: RelayerClient,
  parameters: UpdateAccountKeyParameters = {},
): Promise<UpdateAccountKeyReturnType> {
  return askFor(client, 'relayer_updateAccountKey', parameters, true);
}
