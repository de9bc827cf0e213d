import { randomBytes } from 'node:crypto';
import { hex, publicKey, sign } from './eddsa.ts';
import { addressOf, signEcdsa } from './eip712.ts';
import { type Body, deriveKey, requestHash, requestText, updateDigest } from './messages.ts';

/** An exchange as its relayer describes it. */
export interface Place {
  readonly url: string;
  readonly exchange: string;
  readonly chainId: number;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query?: Body;
  readonly body?: string | Body;
  readonly headers?: Record<string, string>;
}

export async function call(url: string, { method, path, query = {}, body, headers }: Sent): Promise<Body> {
  const target = new URL(path, url);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const reply = await fetch(target, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(text !== undefined && { body: text }),
  });
  return (await reply.json()) as Body;
}

/** An L1 key, the EdDSA key that it derives, and the account of both. */
export class Person {
  readonly l1Key = randomBytes(32);
  readonly owner = addressOf(this.l1Key);
  readonly place: Place;
  accountId = 0;
  nonce = 0;
  apiKey = '';
  eddsaKey = 0n;

  constructor(place: Place) {
    this.place = place;
  }

  get keySeed(): string {
    return `Sign this message to access Loopring Exchange: ${this.place.exchange} with key nonce: ${this.nonce}`;
  }

  eddsa = (message: bigint) => sign(message, this.eddsaKey);
  ecdsa = (digest: Uint8Array) => signEcdsa(digest, this.l1Key);

  async read(path: string, query: Body = {}): Promise<Body> {
    return call(this.place.url, { method: 'GET', path, query, headers: { 'x-api-key': this.apiKey } });
  }

  async dev(path: string, body: Body = {}): Promise<Body> {
    return call(this.place.url, { method: 'POST', path: `/dev/${path}`, body });
  }

  async fund(): Promise<this> {
    this.accountId = (await this.dev('faucet', { owner: this.owner })).accountId;
    return this;
  }

  async validUntil(): Promise<number> {
    return Math.floor((await this.read('/api/v3/timestamp')).timestamp / 1000) + 3600;
  }

  storageId(sellTokenId: number): Promise<Body> {
    return this.read('/api/v3/storageId', { accountId: this.accountId, sellTokenId });
  }

  async keyUpdate(): Promise<Body> {
    const { x, y } = publicKey(deriveKey(this.l1Key, this.keySeed));
    return {
      exchange: this.place.exchange,
      owner: this.owner,
      accountId: this.accountId,
      publicKey: { x: `0x${hex(x)}`, y: `0x${hex(y)}` },
      maxFee: { tokenId: 0, volume: '1000000000000000' },
      validUntil: await this.validUntil(),
      nonce: this.nonce,
      keySeed: this.keySeed,
    };
  }

  /** A request under an EdDSA header; a body's members are sorted. */
  signed(method: string, path: string, { query, body }: { query?: Body; body?: Body }): Sent {
    const text = body && JSON.stringify(Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))));
    const message = requestText(method, `${this.place.url}${path}`, text ?? query ?? {});
    return {
      method,
      path,
      ...(query && { query }),
      ...(text !== undefined && { body: text }),
      headers: { 'x-api-key': this.apiKey, 'x-api-sig': this.eddsa(requestHash(message)) },
    };
  }

  /** An account with a key in force and an API key. */
  async activate(): Promise<this> {
    await this.fund();
    const body = await this.keyUpdate();
    const ecdsaSignature = this.ecdsa(updateDigest(this.place.chainId, body));
    const headers = { 'x-api-sig': ecdsaSignature };
    await call(this.place.url, { method: 'POST', path: '/api/v3/account', body: { ...body, ecdsaSignature }, headers });
    await this.dev('blocks');
    this.eddsaKey = deriveKey(this.l1Key, this.keySeed);
    this.nonce += 1;
    const query = { accountId: this.accountId };
    this.apiKey = (await call(this.place.url, this.signed('GET', '/api/v3/apiKey', { query }))).apiKey;
    return this;
  }
}
