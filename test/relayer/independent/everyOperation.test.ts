import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RelayerProcess, startProcess } from '../support/relayerProcess.ts';
import { type Body, nftContract } from './messages.ts';
import { type Operation, operations } from './operations.ts';
import { call, Person } from './person.ts';
import { P } from './poseidon.ts';

/** Mainnet's NFT factory and the creation code of its contracts, as published. */
const FACTORY = '0xc852ac7aae4b0f0a0deb9e8a391eba2047d80026';
const CREATION_CODE =
  '0x3d602d80600a3d3981f3363d3d373d3d3d363d73b25f6d711aebf954fb0265a3b29f7b9beba7e55d5af43d82803e903d91602b57fd5bf3';

const NAMES = [
  ...['account key update', 'API key', 'order', 'cancel', 'cancel of a list by hash'],
  ...['cancel of a list by client order id', 'several orders in one request'],
  ...['transfer', 'withdrawal', 'pool join', 'pool exit'],
  ...['NFT mint', 'NFT transfer', 'NFT order validation of a sale', 'NFT order validation of a purchase'],
  ...['NFT trade', 'NFT contract deployment', 'NFT withdrawal', 'new API key'],
];

const WRONG_SIGNATURE = 104005;
/**
 * Who or what a request is for is looked up before its signature is checked, and whether a key
 * update may still come is compared before its owner's approval; by the last name of the path.
 */
const ANOTHER_ACCOUNT = [101002, 102003, 102022, 102023, 104003];
const REFUSED_EARLIER: Readonly<Record<string, readonly number[]>> = {
  accountId: ANOTHER_ACCOUNT,
  payerId: ANOTHER_ACCOUNT,
  fromAccountId: ANOTHER_ACCOUNT,
  minterId: ANOTHER_ACCOUNT,
  toAccountId: ANOTHER_ACCOUNT,
  owner: ANOTHER_ACCOUNT,
  payerAddr: ANOTHER_ACCOUNT,
  fromAddress: ANOTHER_ACCOUNT,
  minterAddress: ANOTHER_ACCOUNT,
  poolAddress: [102001],
  exchange: [102001],
  nonce: [102021],
};

/**
 * The value with its lowest bit flipped; of a storage id the next one, because the lowest says
 * whether it is an order's; of a public key the bit for the sign of x, because every other one
 * leaves the curve.
 */
function flip(path: string, value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  const text = String(value);
  const number = BigInt(text);
  const changed = path === 'publicKey.x' ? P - number : number ^ (path.includes('storageId') ? 2n : 1n);
  if (typeof value === 'number') return Number(changed);
  return text.startsWith('0x') ? `0x${changed.toString(16).padStart(text.length - 2, '0')}` : changed.toString();
}

function withFlipped(body: Body, path: string): Body {
  const copy = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() as string;
  const holder = names.reduce<Body>((at, name) => at[name], copy);
  holder[last] = flip(path, holder[last]);
  return copy;
}

describe('a relayer that an independent implementation drives', () => {
  let relayer: RelayerProcess;
  let all: Operation[];
  const dev = (path: string, body: Body = {}) => call(relayer.url, { method: 'POST', path: `/dev/${path}`, body });

  beforeAll(async () => {
    relayer = await startProcess({}, ['--dev', '--engine', 'stepped']);
    const { url } = relayer;
    const info = await call(url, { method: 'GET', path: '/api/v3/exchange/info' });
    const { pools } = await call(url, { method: 'GET', path: '/api/v3/amm/pools' });
    const place = { url, exchange: info.exchangeAddress, chainId: info.chainId };
    const person = await new Person(place).activate();
    all = operations({
      person,
      payee: await new Person(place).activate(),
      newcomer: await new Person(place).fund(),
      pool: pools.find(({ tokens }: Body) => tokens.pooled.join() === '1,0'),
      nftFactory: FACTORY,
      nftContract: nftContract(FACTORY, person.owner, '', CREATION_CODE),
    });
  }, 420_000);
  afterAll(() => relayer.kill());

  it('has every operation', () => {
    expect(all.map(({ name }) => name)).toEqual(NAMES);
  });

  it.each(NAMES)('refuses a flipped bit of anything signed, and accepts: %s', async (name) => {
    const operation = all.find((candidate) => candidate.name === name) as Operation;
    const body = await operation.build();
    for (const path of operation.signed) {
      const { resultInfo } = await operation.send(withFlipped(body, path), body);
      const earlier = REFUSED_EARLIER[path.split('.').at(-1) as string] ?? [];
      expect([WRONG_SIGNATURE, ...earlier], path).toContain(resultInfo?.code);
    }
    for (const path of operation.signedTwice ?? []) {
      const other = withFlipped(body, path);
      const withoutOwner = await operation.send(other, other, body);
      expect(withoutOwner.resultInfo?.code, `${path} under the EdDSA signature alone`).toBe(WRONG_SIGNATURE);
      const ownerAlone = await operation.send(other, body, other);
      expect(ownerAlone.resultInfo?.code, `${path} under the ECDSA signature alone`).toBe(WRONG_SIGNATURE);
    }
    const answer = await operation.send(body, body);
    expect(answer).not.toHaveProperty('resultInfo');
    if (operation.hash) expect(BigInt(answer.hash)).toBe(operation.hash(body));
    await dev('blocks');
    // A deployment becomes visible after a while.
    await dev('clock', { advanceMs: 60_000 });
    await dev('blocks');
  });
});
