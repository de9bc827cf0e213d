import { getPublicKey, packPoint } from '../../../src/crypto/index.ts';
import { Float16, Float24, roundToFloat } from '../../../src/protocol/floats.ts';
import {
  encodeBlock,
  nftDataOf,
  orderFlags,
  type ProvenNft,
  RollupState,
  type Transaction,
} from '../../../src/protocol/rollup/index.ts';
import type { Random } from '../../support/random.ts';
import { secretKeyOf } from '../../support/secretKeys.ts';
import { HEADER, OPERATOR, ownerOf } from './support.ts';

/** The other side of deposits, withdrawals and mints. */
const OUTSIDE = -1;
const PROTOCOL = 0;
const TOKENS = [0, 1, 5, 900];
const FIRST_SLOT = 32768;
const KEYS = [2n, 3n, 5n].map((secret) => getPublicKey(secretKeyOf(secret)));

interface Account {
  nonce: number;
  key: { x: bigint; y: bigint };
  feeBips: number;
}

/** One order that can be filled again. */
interface OpenOrder {
  readonly token: number;
  readonly storageId: number;
}

/**
 * Random traffic of an exchange with its own books: a double entry ledger, nonces, used storage ids
 * and NFT slots, in plain numbers and without the state transition. What it books is what replaying
 * its blocks has to give.
 */
export class Traffic {
  readonly #random: Random;
  readonly ledger = new Map<string, bigint>();
  readonly accounts = new Map<number, Account>();
  readonly nfts = new Map<string, ProvenNft>();
  readonly weights = new Map<string, bigint>();
  readonly storage = new Map<string, { data: bigint; storageId: number }>();
  readonly #orders = new Map<number, OpenOrder>();
  /** What changed since the tree was brought up to date. */
  readonly #touched = new Set<string>();
  readonly tree = new RollupState();
  #transactions: Transaction[] = [];
  #nextNft = 1n;
  #nextAccount = 10_000;
  #nextStorage = 1;

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * @returns The bytes of a block of about `size` transactions, with the roots of the books around
   *   it.
   */
  block(size: number): { data: Uint8Array; transactions: readonly Transaction[] } {
    const rootBefore = this.#treeOfBooks();
    this.#transactions = [];
    if (!this.accounts.has(OPERATOR)) for (const accountId of [OPERATOR, 2, 3]) this.#deposit(accountId);
    while (this.#transactions.length < size) this.#anything();
    (this.accounts.get(OPERATOR) as Account).nonce++;
    const header = { ...HEADER, rootBefore, rootAfter: this.#treeOfBooks() };
    return { data: encodeBlock(header, this.#transactions), transactions: this.#transactions };
  }

  balance(accountId: number, tokenId: number): bigint {
    return this.ledger.get(`${accountId}/${tokenId}`) ?? 0n;
  }

  /** Writes the books into a tree, leaf by leaf; its root. */
  #treeOfBooks(): bigint {
    for (const [accountId, { nonce, key, feeBips }] of this.accounts)
      this.tree.setAccount(accountId, {
        owner: ownerOf(accountId),
        publicKeyX: key.x,
        publicKeyY: key.y,
        nonce,
        feeBipsAmm: feeBips,
      });
    for (const key of this.#touched) {
      const [accountId, tokenId] = key.split('/').map(Number) as [number, number];
      if (accountId === OUTSIDE) continue;
      const nft = this.nfts.get(key);
      const weightAmm = nft ? nftDataOf(nft) : (this.weights.get(key) ?? 0n);
      this.tree.setBalance(accountId, tokenId, { balance: this.balance(accountId, tokenId), weightAmm });
    }
    for (const [key, leaf] of this.storage) {
      const [accountId, tokenId] = key.split('/').map(Number) as [number, number];
      this.tree.setStorage(accountId, tokenId, leaf);
    }
    this.#touched.clear();
    return this.tree.root();
  }

  #move(from: number, to: number, tokenId: number, amount: bigint, toTokenId = tokenId): void {
    for (const [accountId, token, delta] of [
      [from, tokenId, -amount],
      [to, toTokenId, amount],
    ] as const) {
      const key = `${accountId}/${token}`;
      this.ledger.set(key, (this.ledger.get(key) ?? 0n) + delta);
      this.#touched.add(key);
    }
  }

  #used(accountId: number, tokenId: number, storageId: number, data: bigint): void {
    this.storage.set(`${accountId}/${tokenId}/${storageId % 16384}`, { data, storageId });
  }

  #add(...transactions: Transaction[]): void {
    this.#transactions.push(...transactions);
  }

  #user(): number {
    return this.#random.pick([...this.accounts.keys()].filter((accountId) => accountId >= 10_000));
  }

  #users(): number[] {
    return [...this.accounts.keys()].filter((accountId) => accountId >= 10_000);
  }

  #storageId(): number {
    this.#nextStorage += 1 + this.#random.index(3) + (this.#random.index(20) === 0 ? 16384 : 0);
    return this.#nextStorage;
  }

  /** A part of what the account has of a token, as a block can say it. */
  #part(accountId: number, tokenId: number): bigint {
    const most = this.balance(accountId, tokenId);
    return most <= 0n ? 0n : roundToFloat(this.#random.below(most) / 3n, Float24);
  }

  #fee(accountId: number, tokenId: number): bigint {
    const most = this.balance(accountId, tokenId);
    return most <= 0n ? 0n : roundToFloat(this.#random.below(most) / 1000n, Float16);
  }

  #open(accountId: number): void {
    if (!this.accounts.has(accountId)) this.accounts.set(accountId, { nonce: 0, key: { x: 0n, y: 0n }, feeBips: 0 });
  }

  #anything(): void {
    const users = this.#users().length;
    const kinds = [this.#depositAny, this.#noop, ...(users > 1 ? this.#kinds : [])];
    this.#random.pick(kinds).call(this);
  }

  readonly #kinds = [
    this.#transfer,
    this.#transfer,
    this.#withdraw,
    this.#forced,
    this.#trade,
    this.#trade,
    this.#keyUpdate,
    this.#poolUpdate,
    this.#verification,
    this.#mint,
    this.#mintTo,
    this.#nftTransfer,
    this.#nftTrade,
    this.#nftWithdrawal,
    this.#protocolFees,
  ];

  #noop(): void {
    this.#add({ type: 'Noop' });
  }

  #depositAny(): void {
    const known = this.#users();
    this.#deposit(known.length < 3 || this.#random.index(3) === 0 ? this.#nextAccount++ : this.#random.pick(known));
  }

  #deposit(accountId: number): void {
    const tokenId = this.#random.pick(TOKENS);
    const amount = this.#random.below(10n ** 24n);
    this.#open(accountId);
    this.#move(OUTSIDE, accountId, tokenId, amount);
    this.#add({ type: 'Deposit', to: ownerOf(accountId), accountId, tokenId, amount });
  }

  #transfer(): void {
    const fromId = this.#user();
    const isNew = this.#random.index(4) === 0;
    const kind = this.#random.index(4) === 0 ? 1 : 0;
    const toId = isNew ? this.#nextAccount++ : this.#user();
    const tokenId = this.#random.pick(TOKENS);
    const feeTokenId = this.#random.pick(TOKENS);
    const amount = this.#part(fromId, tokenId);
    const fee = this.#fee(fromId, feeTokenId);
    const storageId = this.#storageId();
    this.#open(toId);
    this.#move(fromId, toId, tokenId, amount);
    this.#move(fromId, OPERATOR, feeTokenId, fee);
    this.#used(fromId, tokenId, storageId, 1n);
    const named = isNew || kind === 1;
    this.#add({
      ...{ type: 'Transfer', kind, fromId, toId, tokenId, amount, feeTokenId, fee, storageId },
      to: named ? ownerOf(toId) : 0n,
      from: kind === 1 ? ownerOf(fromId) : 0n,
      toTokenId: 0,
    } as Transaction);
  }

  #withdraw(): void {
    const accountId = this.#user();
    const tokenId = this.#random.pick(TOKENS);
    const amount = this.#random.below(this.balance(accountId, tokenId) / 2n + 1n);
    const feeTokenId = this.#random.pick(TOKENS);
    const fee = this.#fee(accountId, feeTokenId);
    const storageId = this.#storageId();
    this.#move(accountId, OUTSIDE, tokenId, amount);
    this.#move(accountId, OPERATOR, feeTokenId, fee);
    this.#used(accountId, tokenId, storageId, 1n);
    this.#withdrawal({ kind: this.#random.index(2), accountId, tokenId, amount, feeTokenId, fee, storageId });
  }

  #withdrawal(fields: {
    kind: number;
    accountId: number;
    tokenId: number;
    amount: bigint;
    feeTokenId?: number;
    fee?: bigint;
    storageId?: number;
  }): void {
    this.#add({
      ...{ type: 'Withdrawal', feeTokenId: 0, fee: 0n, storageId: 0, from: ownerOf(fields.accountId) },
      onchainDataHash: this.#random.below(1n << 160n),
      ...fields,
    } as Transaction);
  }

  #forced(): void {
    const accountId = this.#user();
    const tokenId = this.#random.pick(TOKENS);
    const kind = 2 + this.#random.index(2);
    const amount = kind === 2 ? this.balance(accountId, tokenId) : 0n;
    this.#move(accountId, OUTSIDE, tokenId, amount);
    if (kind === 2) this.weights.delete(`${accountId}/${tokenId}`);
    this.#withdrawal({ kind, accountId, tokenId, amount });
  }

  #protocolFees(): void {
    const tokenId = this.#random.pick(TOKENS);
    const amount = this.balance(PROTOCOL, tokenId);
    this.#move(PROTOCOL, OUTSIDE, tokenId, amount);
    this.#withdrawal({ kind: 2, accountId: PROTOCOL, tokenId, amount });
  }

  /** An order of the account: the one that is open, or a new one. */
  #order(accountId: number, token: number): { storageId: number; filled: bigint } {
    const open = this.#orders.get(accountId);
    const goesOn = open?.token === token && this.#random.index(2) === 0;
    const storageId = goesOn ? open.storageId : this.#storageId();
    this.#orders.set(accountId, { token, storageId });
    const stored = this.storage.get(`${accountId}/${token}/${storageId % 16384}`);
    return { storageId, filled: stored?.storageId === storageId ? stored.data : 0n };
  }

  #trade(): void {
    const [accountA, accountB] = [this.#user(), this.#user()];
    const [tokenA, tokenB] = [this.#random.pick(TOKENS), this.#random.pick(TOKENS)];
    if (tokenA === tokenB || accountA === accountB) return;
    const [fillA, fillB] = [this.#part(accountA, tokenA), this.#part(accountB, tokenB)];
    this.#fill({ accountA, accountB, tokenA, tokenB, fillA, fillB, boughtTokenA: 0, boughtTokenB: 0 });
    const [bipsA, bipsB] = this.#rates;
    // Each pays its rate of what it buys to the operator, who pays the protocol's share of that.
    for (const [accountId, tokenId, bought, bips, protocolBips] of [
      [accountA, tokenB, fillB, bipsA, HEADER.protocolTakerFeeBips],
      [accountB, tokenA, fillA, bipsB, HEADER.protocolMakerFeeBips],
    ] as const) {
      this.#move(accountId, OPERATOR, tokenId, (bought * BigInt(bips)) / 10_000n);
      this.#move(OPERATOR, PROTOCOL, tokenId, (bought * BigInt(protocolBips)) / 100_000n);
    }
  }

  #rates: readonly [number, number] = [0, 0];

  /**
   * Books what changes hands, stores what is filled, and writes the trade. Fees are booked by the
   * caller.
   */
  #fill(trade: {
    accountA: number;
    accountB: number;
    tokenA: number;
    tokenB: number;
    fillA: bigint;
    fillB: bigint;
    boughtTokenA: number;
    boughtTokenB: number;
  }): void {
    const { accountA, accountB, tokenA, tokenB, fillA, fillB } = trade;
    // At least the protocol's share, so that the operator never pays it from its own.
    this.#rates = [2 + this.#random.index(200), 1 + this.#random.index(60)];
    const byBuy = [this.#random.index(2) === 0, this.#random.index(2) === 0] as const;
    const [orderA, orderB] = [this.#order(accountA, tokenA), this.#order(accountB, tokenB)];
    this.#move(accountA, accountB, tokenA, fillA, trade.boughtTokenB || tokenA);
    this.#move(accountB, accountA, tokenB, fillB, trade.boughtTokenA || tokenB);
    this.#used(accountA, tokenA, orderA.storageId, orderA.filled + (byBuy[0] ? fillB : fillA));
    this.#used(accountB, tokenB, orderB.storageId, orderB.filled + (byBuy[1] ? fillA : fillB));
    const [a, b] = [0, 1].map((side) =>
      orderFlags({ fillByBuy: byBuy[side] as boolean, feeBips: this.#rates[side] as number }),
    ) as [ReturnType<typeof orderFlags>, ReturnType<typeof orderFlags>];
    this.#add({
      type: 'SpotTrade',
      ...trade,
      storageA: orderA.storageId,
      storageB: orderB.storageId,
      flagsA: a.flags,
      flagsB: b.flags,
      feeHighA: a.feeHigh,
      feeHighB: b.feeHigh,
    });
  }

  #keyUpdate(): void {
    const accountId = this.#user();
    const account = this.accounts.get(accountId) as Account;
    const feeTokenId = this.#random.pick(TOKENS);
    const fee = this.#fee(accountId, feeTokenId);
    const key = this.#random.pick(KEYS);
    this.#move(accountId, OPERATOR, feeTokenId, fee);
    const kind = this.#random.index(2);
    const { nonce } = account;
    account.nonce++;
    account.key = key;
    this.#add({
      ...{ type: 'AccountUpdate', kind, owner: ownerOf(accountId), accountId, feeTokenId, fee },
      ...{ publicKey: packPoint(key), nonce },
    } as Transaction);
  }

  #poolUpdate(): void {
    const accountId = this.#user();
    const account = this.accounts.get(accountId) as Account;
    const tokenId = this.#random.pick(TOKENS);
    const balance = this.balance(accountId, tokenId);
    const tokenWeight = this.#random.below(1n << 96n);
    const feeBips = this.#random.index(256);
    this.weights.set(`${accountId}/${tokenId}`, tokenWeight);
    this.#touched.add(`${accountId}/${tokenId}`);
    this.#add({
      ...{ type: 'AmmUpdate', owner: ownerOf(accountId), accountId, tokenId, feeBips, tokenWeight, balance },
      nonce: account.nonce,
    } as Transaction);
    account.nonce++;
    account.feeBips = feeBips;
  }

  #verification(): void {
    const accountId = this.#user();
    this.#add({
      ...{ type: 'SignatureVerification', owner: ownerOf(accountId), accountId, data: this.#random.below(1n << 256n) },
    } as Transaction);
  }

  /** An NFT slot of the account in which nothing is. */
  #freeSlot(accountId: number): number {
    let slot = FIRST_SLOT + this.#random.index(40);
    while (this.nfts.has(`${accountId}/${slot}`)) slot++;
    return slot;
  }

  /** Some slot that holds an NFT. */
  #heldNft(): { accountId: number; slot: number; nft: ProvenNft } | undefined {
    if (this.nfts.size === 0) return undefined;
    const [key, nft] = this.#random.pick([...this.nfts]);
    const [accountId, slot] = key.split('/').map(Number) as [number, number];
    return { accountId, slot, nft };
  }

  #newNft(minterId: number): ProvenNft {
    return {
      minter: ownerOf(minterId),
      nftType: this.#random.index(2),
      token: ownerOf(3),
      nftID: (this.#random.below(1n << 128n) << 128n) + this.#nextNft++,
      creatorFeeBips: this.#random.index(256),
    };
  }

  #mint(): void {
    const minterId = this.#user();
    const toTokenId = this.#freeSlot(minterId);
    const nft = this.#newNft(minterId);
    const { feeTokenId, fee, storageId, amount } = this.#mintTerms(minterId);
    this.nfts.set(`${minterId}/${toTokenId}`, nft);
    this.#move(OUTSIDE, minterId, toTokenId, amount);
    this.#used(minterId, feeTokenId, storageId, 1n);
    this.#add({
      ...{ type: 'NftMint', kind: 0, minterId, toTokenId, feeTokenId, fee, amount, storageId, tokenAccountId: 3 },
      ...{ nftType: nft.nftType, nftId: nft.nftID, creatorFeeBips: nft.creatorFeeBips },
    } as Transaction);
  }

  #mintTerms(minterId: number) {
    const feeTokenId = this.#random.pick(TOKENS);
    const fee = this.#fee(minterId, feeTokenId);
    this.#move(minterId, OPERATOR, feeTokenId, fee);
    return { feeTokenId, fee, storageId: this.#storageId(), amount: 1n + this.#random.below(1000n) };
  }

  #mintTo(): void {
    const minterId = this.#user();
    const toId = this.#random.index(3) === 0 ? this.#nextAccount++ : this.#user();
    const kind = 1 + this.#random.index(2);
    const nft = this.#newNft(minterId);
    const toTokenId = this.#freeSlot(toId);
    const { feeTokenId, fee, storageId, amount } = this.#mintTerms(minterId);
    this.#open(toId);
    this.nfts.set(`${toId}/${toTokenId}`, nft);
    this.#move(OUTSIDE, toId, toTokenId, amount);
    if (kind === 1) this.#used(minterId, feeTokenId, storageId, 1n);
    this.#add(
      {
        ...{
          type: 'NftMintTo',
          kind,
          minterId,
          toTokenId,
          feeTokenId,
          fee,
          amount,
          storageId,
          toId,
          to: ownerOf(toId),
        },
      } as Transaction,
      ...this.#pair(toId, toTokenId, nft),
    );
  }

  #pair(accountId: number, tokenId: number, nft: ProvenNft): Transaction[] {
    return [nft.minter, nft.token].map((address, kind) => ({
      ...{ type: 'NftData', kind, accountId, tokenId, nftId: nft.nftID },
      ...{ creatorFeeBips: nft.creatorFeeBips, nftType: nft.nftType, address },
    })) as Transaction[];
  }

  /** A slot of the receiver that can take the NFT. */
  #slotFor(accountId: number, nft: ProvenNft): number {
    for (const [key, held] of this.nfts) {
      const [holder, slot] = key.split('/').map(Number) as [number, number];
      if (holder === accountId && nftDataOf(held) === nftDataOf(nft)) return slot;
    }
    return this.#freeSlot(accountId);
  }

  /** Everything in a slot, or a part of it. */
  #nftPart(accountId: number, slot: number): bigint {
    const held = this.balance(accountId, slot);
    return this.#random.index(2) === 0 ? held : 1n + this.#random.below(held);
  }

  /** Books an NFT from one slot into another. */
  #nftMoves(from: string, to: string, nft: ProvenNft): void {
    this.nfts.set(to, nft);
    if ((this.ledger.get(from) ?? 0n) === 0n) this.nfts.delete(from);
  }

  #nftTransfer(): void {
    const held = this.#heldNft();
    if (!held) return;
    const { accountId: fromId, slot: tokenId, nft } = held;
    const toId = this.#user();
    if (toId === fromId) return;
    const toTokenId = this.#slotFor(toId, nft);
    const amount = this.#nftPart(fromId, tokenId);
    const feeTokenId = this.#random.pick(TOKENS);
    const fee = this.#fee(fromId, feeTokenId);
    const storageId = this.#storageId();
    this.#move(fromId, toId, tokenId, amount, toTokenId);
    this.#nftMoves(`${fromId}/${tokenId}`, `${toId}/${toTokenId}`, nft);
    this.#move(fromId, OPERATOR, feeTokenId, fee);
    this.#used(fromId, tokenId, storageId, 1n);
    this.#add({
      ...{ type: 'Transfer', kind: 0, fromId, toId, tokenId, amount, feeTokenId, fee, storageId, to: 0n, from: 0n },
      toTokenId,
    } as Transaction);
  }

  #nftTrade(): void {
    const held = this.#heldNft();
    if (!held) return;
    const { accountId: accountB, slot: tokenB, nft } = held;
    const accountA = this.#user();
    const tokenA = this.#random.pick(TOKENS);
    if (accountA === accountB || this.#random.index(3) === 0) return;
    const fillA = this.#part(accountA, tokenA);
    const fillB = this.#nftPart(accountB, tokenB);
    const boughtTokenA = this.#slotFor(accountA, nft);
    this.#fill({ accountA, accountB, tokenA, tokenB, fillA, fillB, boughtTokenA, boughtTokenB: 0 });
    this.#nftMoves(`${accountB}/${tokenB}`, `${accountA}/${boughtTokenA}`, nft);
    // The buyer pays on top of what it sells, the seller of what it gets: both in the token.
    for (const [accountId, bips, protocolBips] of [
      [accountA, this.#rates[0], HEADER.protocolTakerFeeBips],
      [accountB, this.#rates[1], HEADER.protocolMakerFeeBips],
    ] as const) {
      this.#move(accountId, OPERATOR, tokenA, (fillA * BigInt(bips)) / 10_000n);
      this.#move(OPERATOR, PROTOCOL, tokenA, (fillA * BigInt(protocolBips)) / 100_000n);
    }
  }

  #nftWithdrawal(): void {
    const held = this.#heldNft();
    if (!held) return;
    const { accountId, slot: tokenId, nft } = held;
    const amount = this.#nftPart(accountId, tokenId);
    const storageId = this.#storageId();
    this.#move(accountId, OUTSIDE, tokenId, amount);
    if (this.balance(accountId, tokenId) === 0n) this.nfts.delete(`${accountId}/${tokenId}`);
    this.#used(accountId, tokenId, storageId, 1n);
    this.#add(...this.#pair(accountId, tokenId, nft));
    this.#withdrawal({ kind: 0, accountId, tokenId, amount, storageId });
  }
}
