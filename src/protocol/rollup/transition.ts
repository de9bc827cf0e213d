import { unpackPoint } from '../../crypto/index.ts';
import { BIPS, CIRCUIT_MAX_FEE_BIPS, isNftToken, MAX_AMOUNT, MAX_UINT32 } from '../limits.ts';
import { type Block, type BlockHeader, inTransaction } from './blockData.ts';
import { nftDataOf, type ProvenNft } from './nftData.ts';
import { RollupError } from './rollupError.ts';
import type { RollupState } from './state.ts';
import { readOrderFlags, type Transaction, type TransactionOf, tradeSides } from './transactions.ts';

/** Account that collects protocol fees; it has no owner. */
const PROTOCOL_FEE_ACCOUNT_ID = 0;

/** Protocol fees are hundred-thousandths. */
const PROTOCOL_BIPS = 100_000n;

/** One block that is being applied. */
interface Context {
  readonly state: RollupState;
  readonly header: BlockHeader;
  readonly transactions: readonly Transaction[];
  readonly index: number;
}

function change({ state }: Context, accountId: number, tokenId: number, delta: bigint): void {
  if (delta === 0n) return;
  const balance = state.balance(accountId, tokenId).balance + delta;
  if (balance < 0n || balance > MAX_AMOUNT)
    throw new RollupError(
      'balance',
      balance < 0n
        ? `account ${accountId} has ${-balance} too little of token ${tokenId}`
        : `account ${accountId} gets more of token ${tokenId} than 96 bits hold`,
    );
  state.setBalance(accountId, tokenId, { balance });
}

function payFee(context: Context, accountId: number, { feeTokenId, fee }: { feeTokenId: number; fee: bigint }): void {
  if (isNftToken(feeTokenId)) throw new RollupError('fee-token', `fees are not paid in NFT slot ${feeTokenId}`);
  change(context, accountId, feeTokenId, -fee);
  change(context, context.header.operatorAccountId, feeTokenId, fee);
}

/** An owner is set once and never changed. */
function setOwner({ state }: Context, accountId: number, owner: bigint): void {
  const current = state.account(accountId).owner;
  if (owner === 0n || accountId === PROTOCOL_FEE_ACCOUNT_ID || (current !== 0n && current !== owner))
    throw new RollupError('owner', `account ${accountId} cannot get this owner`);
  state.setAccount(accountId, { owner });
}

/**
 * @throws {RollupError} `owner` when the account is not opened, or belongs to another address than
 *   `owner` (if it is given).
 */
function checkOwner({ state }: Context, accountId: number, owner = 0n): void {
  const current = state.account(accountId).owner;
  if (current === 0n) throw new RollupError('owner', `account ${accountId} is not opened`);
  if (owner !== 0n && current !== owner)
    throw new RollupError('owner', `account ${accountId} belongs to another address`);
}

/**
 * Reads the data stored for an id: a larger id than the slot's starts from 0, a smaller one is
 * void.
 */
function storedData({ state }: Context, accountId: number, tokenId: number, storageId: number): bigint {
  const stored = state.storage(accountId, tokenId, storageId);
  if (storageId < stored.storageId)
    throw new RollupError(
      'storage',
      `storage id ${storageId} of account ${accountId}, token ${tokenId} is void since ${stored.storageId}`,
    );
  return storageId === stored.storageId ? stored.data : 0n;
}

/** Uses up a storage id; a request is executed once. */
function useStorage(context: Context, accountId: number, tokenId: number, storageId: number): void {
  if (storedData(context, accountId, tokenId, storageId) !== 0n)
    throw new RollupError('storage', `storage id ${storageId} of account ${accountId}, token ${tokenId} is used`);
  context.state.setStorage(accountId, tokenId, { data: 1n, storageId });
}

function raiseNonce({ state }: Context, accountId: number, nonce: number): void {
  const current = state.account(accountId).nonce;
  if (nonce !== current)
    throw new RollupError('nonce', `account ${accountId} has nonce ${current}, the transaction ${nonce}`);
  if (nonce === MAX_UINT32) throw new RollupError('nonce', `account ${accountId} has no nonce left`);
  state.setAccount(accountId, { nonce: nonce + 1 });
}

/** Puts an NFT into a slot, which has to be empty or to hold the same NFT. */
function receiveNft(context: Context, accountId: number, tokenId: number, amount: bigint, nftData: bigint): void {
  if (!isNftToken(tokenId)) throw new RollupError('nft-slot', `token ${tokenId} is no NFT slot`);
  const { weightAmm } = context.state.balance(accountId, tokenId);
  if (weightAmm !== 0n && weightAmm !== nftData)
    throw new RollupError('nft-slot', `slot ${tokenId} of account ${accountId} holds another NFT`);
  change(context, accountId, tokenId, amount);
  context.state.setBalance(accountId, tokenId, { weightAmm: nftData });
}

/** An NFT slot that became empty can hold any NFT again. */
function clearEmptySlot({ state }: Context, accountId: number, tokenId: number): void {
  if (isNftToken(tokenId) && state.balance(accountId, tokenId).balance === 0n)
    state.setBalance(accountId, tokenId, { weightAmm: 0n });
}

/** Moves a token, or an NFT into another slot. */
function move(
  context: Context,
  from: { readonly accountId: number; readonly tokenId: number },
  to: { readonly accountId: number; readonly tokenId: number },
  amount: bigint,
): void {
  if (isNftToken(from.tokenId) ? !isNftToken(to.tokenId) : from.tokenId !== to.tokenId)
    throw new RollupError('token', `token ${from.tokenId} cannot arrive as token ${to.tokenId}`);
  const nftData = context.state.balance(from.accountId, from.tokenId).weightAmm;
  change(context, from.accountId, from.tokenId, -amount);
  if (!isNftToken(from.tokenId)) {
    change(context, to.accountId, to.tokenId, amount);
    return;
  }
  clearEmptySlot(context, from.accountId, from.tokenId);
  receiveNft(context, to.accountId, to.tokenId, amount, nftData);
}

/**
 * The NFT that the pair of NftData at a place describes: the minter in the first, the token
 * contract in the second, the rest equal in both.
 */
function nftOfPair(context: Context, at: number, accountId: number, tokenId: number) {
  const [first, second] = context.transactions.slice(at, at + 2);
  if (first?.type !== 'NftData' || second?.type !== 'NftData' || first.kind !== 0 || second.kind !== 1)
    throw new RollupError(
      'nft-data',
      'two NftData, with the minter and with the token contract, have to stand beside it',
    );
  for (const data of [first, second])
    if (data.accountId !== accountId || data.tokenId !== tokenId)
      throw new RollupError('nft-data', `its NftData is not for slot ${tokenId} of account ${accountId}`);
  if (
    first.nftId !== second.nftId ||
    first.creatorFeeBips !== second.creatorFeeBips ||
    first.nftType !== second.nftType
  )
    throw new RollupError('nft-data', 'its two NftData describe different NFTs');
  return {
    minter: first.address,
    nftData: hashOf({
      minter: first.address,
      nftType: first.nftType,
      token: second.address,
      nftID: first.nftId,
      creatorFeeBips: first.creatorFeeBips,
    }),
  };
}

function hashOf(nft: ProvenNft): bigint {
  if (nft.nftType > 1) throw new RollupError('nft-data', `there is no NFT type ${nft.nftType}`);
  return nftDataOf(nft);
}

type Rule<Type extends Transaction['type']> = (context: Context, transaction: TransactionOf<Type>) => void;

const deposit: Rule<'Deposit'> = (context, { to, accountId, tokenId, amount }) => {
  if (isNftToken(tokenId)) throw new RollupError('token', 'NFTs are deposited by an NftMint of kind 2');
  setOwner(context, accountId, to);
  change(context, accountId, tokenId, amount);
};

const withdraw: Rule<'Withdrawal'> = (context, transaction) => {
  const { kind, from, accountId, tokenId, amount, storageId } = transaction;
  const { state } = context;
  // A stranger may ask to force out what belongs to nobody; only this closes such a request.
  const belongsToNobody = accountId === PROTOCOL_FEE_ACCOUNT_ID || (kind === 3 && from === 0n);
  if (!belongsToNobody) checkOwner(context, accountId, from);
  if (kind === 2 && amount !== state.balance(accountId, tokenId).balance)
    throw new RollupError('balance', 'a forced withdrawal takes the whole balance');
  if (kind === 3 && amount !== 0n) throw new RollupError('balance', 'a withdrawal of kind 3 takes nothing');
  if (kind > 1 && transaction.fee !== 0n) throw new RollupError('fee-token', 'a forced withdrawal pays no fee');
  // The contract needs the pair to pay an NFT out; the state does not, so here it has to be right
  // where it stands.
  if (isNftToken(tokenId) && describesWithdrawal(context)) {
    const { nftData } = nftOfPair(context, context.index - 2, accountId, tokenId);
    if (nftData !== state.balance(accountId, tokenId).weightAmm)
      throw new RollupError('nft-data', 'its NftData is not the NFT of the slot');
  }
  change(context, accountId, tokenId, -amount);
  payFee(context, accountId, transaction);
  if (kind < 2) useStorage(context, accountId, tokenId, storageId);
  clearEmptySlot(context, accountId, tokenId);
  if (kind === 2 && !isNftToken(tokenId) && accountId !== PROTOCOL_FEE_ACCOUNT_ID)
    state.setBalance(accountId, tokenId, { weightAmm: 0n });
};

/** Whether an NftData that is not that of a mint stands directly before the transaction. */
const describesWithdrawal = ({ transactions, index }: Context): boolean =>
  transactions[index - 1]?.type === 'NftData' && transactions[index - 3]?.type !== 'NftMintTo';

const transfer: Rule<'Transfer'> = (context, transaction) => {
  const { kind, fromId, toId, tokenId, amount, storageId, to, from, toTokenId } = transaction;
  if (kind === 1 && (to === 0n || from === 0n))
    throw new RollupError('owner', 'a transfer of kind 1 names both addresses');
  checkOwner(context, fromId, from);
  if (to === 0n) checkOwner(context, toId);
  else setOwner(context, toId, to);
  move(context, { accountId: fromId, tokenId }, { accountId: toId, tokenId: toTokenId || tokenId }, amount);
  payFee(context, fromId, transaction);
  useStorage(context, fromId, tokenId, storageId);
};

const spotTrade: Rule<'SpotTrade'> = (context, trade) => {
  const { protocolTakerFeeBips, protocolMakerFeeBips } = context.header;
  const [sideA, sideB] = tradeSides(trade);
  const a = { ...sideA, ...readOrderFlags(...sideA.flags), protocolBips: protocolTakerFeeBips };
  const b = { ...sideB, ...readOrderFlags(...sideB.flags), protocolBips: protocolMakerFeeBips };
  for (const side of [a, b]) {
    checkOwner(context, side.accountId);
    if (side.feeBips > CIRCUIT_MAX_FEE_BIPS) throw new RollupError('range', `a fee of ${side.feeBips} bips`);
  }
  if (a.sells === b.sells && !isNftToken(a.sells)) throw new RollupError('token', 'both orders sell the same token');
  move(context, { accountId: a.accountId, tokenId: a.sells }, { accountId: b.accountId, tokenId: b.buys }, a.sold);
  move(context, { accountId: b.accountId, tokenId: b.sells }, { accountId: a.accountId, tokenId: a.buys }, b.sold);
  const onlyNfts = isNftToken(a.sells) && isNftToken(b.sells);
  for (const side of [a, b]) {
    // Taken from what is bought; a buyer of an NFT pays on top of what it sells.
    const [feeToken, base] = isNftToken(side.buys) ? [side.sells, side.sold] : [side.buys, side.bought];
    const fee = (base * BigInt(side.feeBips)) / BIPS;
    const protocolFee = onlyNfts ? 0n : (base * BigInt(side.protocolBips)) / PROTOCOL_BIPS;
    if (isNftToken(feeToken) && fee + protocolFee > 0n)
      throw new RollupError('fee-token', `fees are not paid in NFT slot ${feeToken}`);
    change(context, side.accountId, feeToken, -fee);
    change(context, context.header.operatorAccountId, feeToken, fee - protocolFee);
    change(context, PROTOCOL_FEE_ACCOUNT_ID, feeToken, protocolFee);
    const data =
      storedData(context, side.accountId, side.sells, side.storageId) + (side.fillByBuy ? side.bought : side.sold);
    if (data > MAX_AMOUNT) throw new RollupError('storage', 'an order is filled beyond 96 bits');
    context.state.setStorage(side.accountId, side.sells, { data, storageId: side.storageId });
  }
};

const accountUpdate: Rule<'AccountUpdate'> = (context, transaction) => {
  const { owner, accountId, publicKey, nonce } = transaction;
  setOwner(context, accountId, owner);
  const key = publicKey === 0n ? { x: 0n, y: 0n } : unpackPoint(publicKey);
  if (!key) throw new RollupError('public-key', 'the public key is no packed point of the curve');
  raiseNonce(context, accountId, nonce);
  context.state.setAccount(accountId, { publicKeyX: key.x, publicKeyY: key.y });
  payFee(context, accountId, transaction);
};

const ammUpdate: Rule<'AmmUpdate'> = (context, { owner, accountId, tokenId, feeBips, tokenWeight, nonce, balance }) => {
  checkOwner(context, accountId, owner);
  if (isNftToken(tokenId)) throw new RollupError('token', `NFT slot ${tokenId} has no pool weight`);
  if (context.state.balance(accountId, tokenId).balance !== balance)
    throw new RollupError('pool-balance', `account ${accountId} has another balance of token ${tokenId}`);
  raiseNonce(context, accountId, nonce);
  context.state.setAccount(accountId, { feeBipsAmm: feeBips });
  context.state.setBalance(accountId, tokenId, { weightAmm: tokenWeight });
};

const nftMint: Rule<'NftMint'> = (context, transaction) => {
  const { minterId, toTokenId, amount, storageId, nftType, tokenAccountId, nftId, creatorFeeBips } = transaction;
  checkOwner(context, minterId);
  checkOwner(context, tokenAccountId);
  const nftData = hashOf({
    minter: context.state.account(minterId).owner,
    nftType,
    token: context.state.account(tokenAccountId).owner,
    nftID: nftId,
    creatorFeeBips,
  });
  receiveNft(context, minterId, toTokenId, amount, nftData);
  payFee(context, minterId, transaction);
  useStorage(context, minterId, transaction.feeTokenId, storageId);
};

const nftMintTo: Rule<'NftMintTo'> = (context, transaction) => {
  const { kind, minterId, toTokenId, amount, storageId, toId, to } = transaction;
  const { minter, nftData } = nftOfPair(context, context.index + 1, toId, toTokenId);
  checkOwner(context, minterId, minter);
  setOwner(context, toId, to);
  receiveNft(context, toId, toTokenId, amount, nftData);
  payFee(context, minterId, transaction);
  if (kind === 1) useStorage(context, minterId, transaction.feeTokenId, storageId);
};

/**
 * NftData only describes: it stands in a pair behind an NftMintTo or before an NFT withdrawal,
 * where it is checked.
 */
const nftData: Rule<'NftData'> = ({ transactions, index }, { kind }) => {
  const first = kind === 0 ? index : index - 1;
  const used = transactions[first - 1]?.type === 'NftMintTo' || transactions[first + 2]?.type === 'Withdrawal';
  const other = transactions[kind === 0 ? index + 1 : index - 1];
  if (!used || other?.type !== 'NftData' || other.kind === kind)
    throw new RollupError('nft-data', 'an NftData belongs to no mint or withdrawal');
};

const signatureVerification: Rule<'SignatureVerification'> = (context, { owner, accountId }) =>
  checkOwner(context, accountId, owner);

const rules: { readonly [Type in Transaction['type']]: Rule<Type> } = {
  Noop: () => {},
  Deposit: deposit,
  Withdrawal: withdraw,
  Transfer: transfer,
  SpotTrade: spotTrade,
  AccountUpdate: accountUpdate,
  AmmUpdate: ammUpdate,
  SignatureVerification: signatureVerification,
  NftMint: nftMint,
  NftMintTo: nftMintTo,
  NftData: nftData,
};

/**
 * Applies the transactions of a block in their order, and raises the operator's nonce. Signatures,
 * limits of orders and prices are not in the bytes, so they are not checked here. Roots are not
 * compared; `replayBlock` does.
 * @param state - Changed in place; half changed when a rule is broken.
 * @throws {RollupError} The first rule that is broken, with its transaction.
 */
export function applyBlock(state: RollupState, { header, transactions }: Block): void {
  for (const [index, transaction] of transactions.entries())
    inTransaction(index, transaction.type, () =>
      (rules[transaction.type] as (context: Context, transaction: Transaction) => void)(
        { state, header, transactions, index },
        transaction,
      ),
    );
  const { owner, nonce } = state.account(header.operatorAccountId);
  if (owner === 0n)
    throw new RollupError('operator', `the operator's account ${header.operatorAccountId} is not opened`);
  if (nonce === MAX_UINT32) throw new RollupError('operator', "the operator's account has no nonce left");
  state.setAccount(header.operatorAccountId, { nonce: nonce + 1 });
}
