import { randomBytes } from 'node:crypto';
import { bytesToBigInt, type Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { formatSignature, getPublicKey, type SecretKey, SUBGROUP_ORDER, sign } from '../../../src/crypto/index.ts';
import { pool } from '../../../src/protocol/examples.ts';
import { ammExitScalar } from '../../../src/protocol/payloads/ammExit.ts';
import { ammJoinScalar } from '../../../src/protocol/payloads/ammJoin.ts';
import { nftMintHash } from '../../../src/protocol/payloads/nftMint.ts';
import { nftOrderHash } from '../../../src/protocol/payloads/nftOrder.ts';
import { nftTransferHash } from '../../../src/protocol/payloads/nftTransfer.ts';
import { nftWithdrawalHash } from '../../../src/protocol/payloads/nftWithdrawal.ts';
import { orderHash } from '../../../src/protocol/payloads/order.ts';
import { transferHash } from '../../../src/protocol/payloads/transfer.ts';
import { withdrawalHash } from '../../../src/protocol/payloads/withdrawal.ts';
import { bodyText, requestHash, requestMessage } from '../../../src/protocol/requestSignature.ts';
import {
  accountUpdateTypedData,
  type RelayerTypedData,
  transferTypedData,
  withdrawalTypedData,
} from '../../../src/protocol/typedData.ts';
import { type Caller, callerOf, type Reply } from './caller.ts';

/** The official NFT factory of the development relayer. */
export const NFT_FACTORY = '0xc852aC7aAe4b0f0a0Deb9e8A391ebA2047d80026';

export interface PoolPlace {
  readonly name: string;
  readonly address: Hex;
  readonly tokens: readonly [number, number];
  readonly lp: number;
}

/** The development relayer's LRC-ETH pool. */
export const LRC_ETH_POOL: PoolPlace = {
  name: 'AMM-LRC-ETH',
  address: pool,
  tokens: [1, 0],
  lp: 100,
};

export interface NftPlace {
  readonly tokenId: number;
  readonly nftData: Hex;
}

export function randomSecretKey(): SecretKey {
  const scalar = (bytesToBigInt(randomBytes(32)) % (SUBGROUP_ORDER - 1n)) + 1n;
  const key = new Uint8Array(32);
  for (let i = 0, rest = scalar; i < 32; i++, rest >>= 8n) key[i] = Number(rest & 0xffn);
  return key;
}

function publicKeyBody(key: SecretKey): { x: Hex; y: Hex } {
  const { x, y } = getPublicKey(key);
  const text = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
  return { x: text(x), y: text(y) };
}

export type { Caller, Reply } from './caller.ts';
export { callerOf } from './caller.ts';

export interface Exchange {
  readonly url: string;
  readonly exchange: Hex;
  readonly chainId: number;
}

/** An account with its two keys that can sign every request of the interface, right or wrong. */
export class TestAccount {
  readonly call: Caller;
  readonly l1: PrivateKeyAccount;
  readonly place: Exchange;
  secretKey: SecretKey;
  accountId = 0;
  apiKey = '';
  nonce = 0;

  constructor(place: Exchange, l1: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey())) {
    this.place = place;
    this.call = callerOf(place.url);
    this.l1 = l1;
    this.secretKey = randomSecretKey();
  }

  /** The same account as another process, or another base URL, is asked with it. */
  at(place: Exchange): TestAccount {
    const { secretKey, accountId, apiKey, nonce } = this;
    return Object.assign(new TestAccount(place, this.l1), { secretKey, accountId, apiKey, nonce });
  }

  get owner(): Hex {
    return this.l1.address;
  }

  get keyHeader(): Record<string, string> {
    return { 'x-api-key': this.apiKey };
  }

  eddsa(message: bigint): Hex {
    return formatSignature(sign(message, this.secretKey));
  }

  typedSignature(typedData: RelayerTypedData): Promise<Hex> {
    return this.l1.signTypedData(typedData as Parameters<PrivateKeyAccount['signTypedData']>[0]);
  }

  /** A request whose X-API-SIG is an EdDSA signature. */
  async signed(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    options: { query?: Record<string, string | number>; body?: object } = {},
  ): Promise<Reply> {
    const { headers, text } = this.signatureOf(method, path, options);
    return this.call(method, path, {
      ...(options.query && { query: options.query }),
      ...(text !== undefined && { body: text }),
      headers: { ...this.keyHeader, ...headers },
    });
  }

  /** The header of such a request, and its body's exact text. */
  signatureOf(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    options: { query?: Record<string, string | number> | undefined; body?: object | undefined },
  ): { headers: Record<string, string>; text: string | undefined } {
    const text = options.body === undefined ? undefined : bodyText(options.body);
    const message = requestMessage({ method, baseUrl: this.place.url, path, query: options.query, bodyText: text });
    return { headers: { 'x-api-sig': this.eddsa(requestHash(message)) }, text };
  }

  async faucet(tokens?: { symbol: string; amount: string }[]): Promise<this> {
    const reply = await this.call('POST', '/dev/faucet', { body: { owner: this.owner, ...(tokens && { tokens }) } });
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    this.accountId = reply.body.accountId;
    return this;
  }

  async updateBody(key: SecretKey, changes: object = {}) {
    return {
      exchange: this.place.exchange,
      owner: this.owner,
      accountId: this.accountId,
      publicKey: publicKeyBody(key),
      maxFee: { tokenId: 0, volume: '1000000000000000' },
      validUntil: await this.inSeconds(3600),
      nonce: this.nonce,
      keySeed: '',
      ...changes,
    };
  }

  /** An update to a key, signed by the owner in body and header. */
  async keyUpdate(key: SecretKey, changes: object = {}) {
    const body = await this.updateBody(key, changes);
    const ecdsaSignature = await this.typedSignature(accountUpdateTypedData(this.place.chainId, body));
    return { body: { ...body, ecdsaSignature }, headers: { 'x-api-sig': ecdsaSignature } };
  }

  /** Registers a key, waits until it is in force and logs in with it. */
  async activate(key: SecretKey = this.secretKey): Promise<this> {
    await this.sendKey(key);
    const { status, body } = await this.call('POST', '/dev/blocks');
    if (status !== 200) throw new Error(JSON.stringify(body));
    this.secretKey = key;
    this.nonce += 1;
    return this.login();
  }

  /** Sends an update to a key, which the next block puts in force. */
  async sendKey(key: SecretKey): Promise<void> {
    const reply = await this.call('POST', '/api/v3/account', await this.keyUpdate(key));
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  }

  async login(): Promise<this> {
    const reply = await this.signed('GET', '/api/v3/apiKey', { query: { accountId: this.accountId } });
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    this.apiKey = reply.body.apiKey;
    return this;
  }

  async inSeconds(delta: number): Promise<number> {
    const { body } = await this.call('GET', '/api/v3/timestamp');
    return Math.floor(body.timestamp / 1000) + delta;
  }

  async storageId(tokenId: number): Promise<{ orderId: number; offchainId: number }> {
    const reply = await this.call('GET', '/api/v3/storageId', {
      query: { accountId: this.accountId, sellTokenId: tokenId },
      headers: this.keyHeader,
    });
    return reply.body;
  }

  async balance(tokenId: number): Promise<{ total: bigint; locked: bigint; withdraw: bigint }> {
    const reply = await this.call('GET', '/api/v3/user/balances', {
      query: { accountId: this.accountId, tokens: tokenId },
      headers: this.keyHeader,
    });
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    const [row] = reply.body;
    return {
      total: BigInt(row?.total ?? 0),
      locked: BigInt(row?.locked ?? 0),
      withdraw: BigInt(row?.pending.withdraw ?? 0),
    };
  }

  /** A signed order body; `changes` are made before signing, `unsigned` after. */
  async order(
    sell: readonly [tokenId: number, volume: bigint],
    buy: readonly [tokenId: number, volume: bigint],
    changes: Record<string, unknown> = {},
  ) {
    const body = {
      exchange: this.place.exchange,
      accountId: this.accountId,
      storageId: (changes.storageId as number) ?? (await this.storageId(sell[0])).orderId,
      sellToken: { tokenId: sell[0], volume: sell[1].toString() },
      buyToken: { tokenId: buy[0], volume: buy[1].toString() },
      allOrNone: false,
      fillAmountBOrS: false,
      validUntil: (changes.validUntil as number) ?? (await this.inSeconds(3600)),
      maxFeeBips: 60,
      orderType: 'LIMIT_ORDER',
      tradeChannel: 'ORDER_BOOK',
      ...changes,
    };
    return { ...body, eddsaSignature: this.eddsa(orderHash(body)) };
  }

  /**
   * A request of one of the other kinds, filled in, signed and sent; `changes` are made before
   * signing.
   */
  async transfer(to: Hex, token: readonly [tokenId: number, volume: bigint], changes: Record<string, unknown> = {}) {
    const body = {
      exchange: this.place.exchange,
      payerId: this.accountId,
      payerAddr: this.owner,
      payeeId: 0,
      payeeAddr: to,
      token: { tokenId: token[0], volume: token[1].toString() },
      maxFee: { tokenId: 0, volume: '1000000000000000' },
      storageId: (changes.storageId as number) ?? (await this.storageId(token[0])).offchainId,
      validUntil: (changes.validUntil as number) ?? (await this.inSeconds(3600)),
      memo: '',
      ...changes,
    };
    return {
      ...body,
      eddsaSignature: this.eddsa(transferHash(body)),
      ecdsaSignature: await this.typedSignature(transferTypedData(this.place.chainId, body)),
    };
  }

  async withdrawal(token: readonly [tokenId: number, volume: bigint], changes: Record<string, unknown> = {}) {
    const body = {
      exchange: this.place.exchange,
      accountId: this.accountId,
      owner: this.owner,
      token: { tokenId: token[0], volume: token[1].toString() },
      maxFee: { tokenId: 0, volume: '1000000000000000' },
      storageId: (changes.storageId as number) ?? (await this.storageId(token[0])).offchainId,
      validUntil: (changes.validUntil as number) ?? (await this.inSeconds(3600)),
      minGas: 0,
      to: this.owner,
      extraData: '',
      ...changes,
    };
    return {
      ...body,
      eddsaSignature: this.eddsa(withdrawalHash(body)),
      ecdsaSignature: await this.typedSignature(withdrawalTypedData(this.place.chainId, body)),
    };
  }

  async join(pool: PoolPlace, amounts: readonly [bigint, bigint], changes: Record<string, unknown> = {}) {
    const body = {
      owner: this.owner,
      poolAddress: pool.address,
      joinTokens: {
        pooled: pool.tokens.map((tokenId, index) => ({ tokenId, volume: String(amounts[index]) })),
        minimumLp: { tokenId: pool.lp, volume: '0' },
      },
      storageIds: [
        (await this.storageId(pool.tokens[0])).offchainId,
        (await this.storageId(pool.tokens[1])).offchainId,
      ],
      fee: '1000000000000000',
      validUntil: await this.inSeconds(3600),
      ...changes,
    };
    return {
      ...body,
      eddsaSignature: this.eddsa(ammJoinScalar({ chainId: this.place.chainId, name: pool.name }, body)),
    };
  }

  async exit(pool: PoolPlace, burned: bigint, changes: Record<string, unknown> = {}) {
    const body = {
      owner: this.owner,
      poolAddress: pool.address,
      exitTokens: {
        unPooled: pool.tokens.map((tokenId) => ({ tokenId, volume: '0' })),
        burned: burned.toString(),
      },
      storageId: (changes.storageId as number) ?? (await this.storageId(pool.lp)).offchainId,
      maxFee: '1000000000000000',
      validUntil: await this.inSeconds(3600),
      ...changes,
    };
    return {
      ...body,
      eddsaSignature: this.eddsa(ammExitScalar({ chainId: this.place.chainId, name: pool.name }, body)),
    };
  }

  /** Address of this owner's counterfactual NFT contract. */
  async nftContract(): Promise<Hex> {
    const { body } = await this.call('GET', '/api/v3/nft/info/computeTokenAddress', {
      query: { nftFactory: NFT_FACTORY, nftOwner: this.owner, nftBaseUri: '' },
    });
    return body.tokenAddress;
  }

  async mint(nftId: Hex, amount: bigint, changes: Record<string, unknown> = {}) {
    const body = {
      exchange: this.place.exchange,
      minterId: this.accountId,
      minterAddress: this.owner,
      toAccountId: this.accountId,
      toAddress: this.owner,
      nftType: 0 as const,
      tokenAddress: await this.nftContract(),
      nftId,
      amount: amount.toString(),
      validUntil: (changes.validUntil as number) ?? (await this.inSeconds(3600)),
      creatorFeeBips: 5,
      storageId: (changes.storageId as number) ?? (await this.storageId(0)).offchainId,
      maxFee: { tokenId: 0, amount: '1000000000000000' },
      forceToMint: false,
      counterFactualNftInfo: { nftFactory: NFT_FACTORY, nftOwner: this.owner, nftBaseUri: '' },
      ...changes,
    };
    return { ...body, eddsaSignature: this.eddsa(nftMintHash(body)) };
  }

  async nftTransfer(to: Hex, token: NftPlace, amount: bigint, changes: Record<string, unknown> = {}) {
    const body = {
      exchange: this.place.exchange,
      fromAccountId: this.accountId,
      fromAddress: this.owner,
      toAccountId: 0,
      toAddress: to,
      token: { tokenId: token.tokenId, nftData: token.nftData, amount: amount.toString() },
      maxFee: { tokenId: 0, amount: '1000000000000000' },
      storageId: (changes.storageId as number) ?? (await this.storageId(token.tokenId)).offchainId,
      validUntil: (changes.validUntil as number) ?? (await this.inSeconds(3600)),
      ...changes,
    };
    return {
      ...body,
      eddsaSignature: this.eddsa(nftTransferHash(body)),
      ecdsaSignature: await this.typedSignature(transferTypedData(this.place.chainId, body)),
    };
  }

  async nftWithdrawal(token: NftPlace, amount: bigint, changes: Record<string, unknown> = {}) {
    const body = {
      exchange: this.place.exchange,
      owner: this.owner,
      accountId: this.accountId,
      to: this.owner,
      token: { tokenId: token.tokenId, nftData: token.nftData, amount: amount.toString() },
      maxFee: { tokenId: 0, amount: '1000000000000000' },
      storageId: (changes.storageId as number) ?? (await this.storageId(token.tokenId)).offchainId,
      validUntil: (changes.validUntil as number) ?? (await this.inSeconds(3600)),
      minGas: 0,
      extraData: '',
      ...changes,
    };
    return {
      ...body,
      eddsaSignature: this.eddsa(nftWithdrawalHash(body)),
      ecdsaSignature: await this.typedSignature(withdrawalTypedData(this.place.chainId, body)),
    };
  }

  /** The body of a deployment; `changes` go into its fee transfer before that is signed. */
  async deployment(nftData: Hex, changes: Record<string, unknown> = {}) {
    const { body: broker } = await this.call('GET', '/api/v3/getAvailableBroker');
    const fee = { tokenId: 0, volume: '20000000000000000' };
    const transfer = {
      exchange: this.place.exchange,
      payeeAddr: broker.broker as Hex,
      payeeId: 0 as const,
      payerId: this.accountId,
      payerAddr: this.owner,
      memo: '',
      maxFee: { tokenId: 0, volume: '0' },
      token: fee,
      storageId: (changes.storageId as number) ?? (await this.storageId(0)).offchainId,
      validUntil: await this.inSeconds(3600),
      ...changes,
    };
    return {
      nftData,
      tokenAddress: await this.nftContract(),
      transfer: {
        ...transfer,
        eddsaSignature: this.eddsa(transferHash(transfer)),
        ecdsaSignature: await this.typedSignature(transferTypedData(this.place.chainId, transfer)),
      },
    };
  }

  async nftOrder(
    sell: { tokenId: number; amount: string; nftData?: Hex },
    buy: { tokenId: number; amount: string; nftData?: Hex },
    changes: Record<string, unknown> = {},
  ) {
    const body = {
      exchange: this.place.exchange,
      accountId: this.accountId,
      storageId: (changes.storageId as number) ?? (await this.storageId(sell.tokenId)).orderId,
      sellToken: sell,
      buyToken: buy,
      allOrNone: false,
      fillAmountBOrS: false,
      validUntil: (changes.validUntil as number) ?? (await this.inSeconds(3600)),
      maxFeeBips: 60,
      ...changes,
    };
    return { ...body, eddsaSignature: this.eddsa(nftOrderHash(body)) };
  }

  /**
   * Sends a body with the API key and, where the endpoint wants one, the ECDSA signature as header.
   */
  post(path: string, body: { ecdsaSignature?: string | undefined } & object, headers: Record<string, string> = {}) {
    return this.call('POST', path, {
      body,
      headers: {
        ...this.keyHeader,
        ...(body.ecdsaSignature !== undefined && { 'x-api-sig': body.ecdsaSignature }),
        ...headers,
      },
    });
  }

  submit(body: unknown): Promise<Reply> {
    return this.call('POST', '/api/v3/order', { body, headers: this.keyHeader });
  }

  /** Sends an order that has to be taken. @returns Its hash. */
  async placed(...[sell, buy, changes]: Parameters<TestAccount['order']>): Promise<string> {
    const reply = await this.submit(await this.order(sell, buy, changes));
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return reply.body.hash;
  }

  async orderOf(hash: string) {
    return (await this.get('/api/v3/order', { orderHash: hash })).body;
  }

  cancel(query: { orderHash?: string; clientOrderId?: string }): Promise<Reply> {
    return this.signed('DELETE', '/api/v3/order', { query: { accountId: this.accountId, ...query } });
  }

  get(path: string, query: Record<string, string | number | boolean | undefined> = {}): Promise<Reply> {
    return this.call('GET', path, { query: { accountId: this.accountId, ...query }, headers: this.keyHeader });
  }
}
