import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from 'viem';
import { DEVELOPMENT_EXCHANGE, type RelayerConfigInput } from '../../../src/relayer/config.ts';
import { exampleMarket } from '../../../src/relayer/market.ts';
import { callerOf, type Reply } from './caller.ts';
import { type FakeL1Node, startFakeL1Node } from './fakeL1Node.ts';
import { startRelayer, type TestRelayer } from './startRelayer.ts';
import { TestAccount } from './testAccount.ts';

export const SETTLEMENT_KEY = 'settlement-key-0123456789abcdef0123456789';
export const ALICE_KEY = 'alice-key-0123456789abcdef0123456789abcdef';

const someHash = (): Hex => `0x${randomBytes(32).toString('hex')}`;
/** A place on layer 1 that no other report has. */
export const someEvent = () => ({ blockHash: someHash(), txHash: someHash(), logIndex: 0 });
export const DEPOSITOR = '0x00000000000000000000000000000000000000d0';

/** A relayer as an operator runs it, without `--dev`: money comes in by reports alone. */
export interface Operated {
  readonly test: TestRelayer;
  readonly url: string;
  /** Sends a report or a decision. */
  tell(word: string, body?: object, key?: string): Promise<Reply>;
  list(word: string, query?: Record<string, string | number>): Promise<Record<string, unknown>[]>;
  /** An account with a deposit of each token, a registered key and an API key. */
  funded(tokens?: Readonly<Record<string, bigint>>): Promise<TestAccount>;
  /** Puts a contract at an address of layer 1. */
  code(address: string): void;
  close(): Promise<void>;
}

export async function startOperated(
  start: (input: RelayerConfigInput) => Promise<TestRelayer> = startRelayer,
  input: RelayerConfigInput = {},
): Promise<Operated> {
  const node: FakeL1Node = await startFakeL1Node();
  const test = await start({
    dev: false,
    devOnPostgres: false,
    l1Url: node.url,
    market: exampleMarket,
    chainId: 31_337,
    exchangeAddress: DEVELOPMENT_EXCHANGE,
    depositAddress: '0x000000000000000000000000000000000000de90',
    operatorAddress: '0x000000000000000000000000000000000000fee1',
    brokerAddress: '0x000000000000000000000000000000000000b40c',
    confirmBlocks: 'time',
    // That of its port, which is known later.
    publicUrls: [],
    engine: 'timer',
    engineIntervalMs: 20,
    blockAgeMs: 20,
    operationsPort: 0,
    operatorKeys: `settlement:${SETTLEMENT_KEY},alice:${ALICE_KEY}`,
    ...input,
  });
  const url = `http://127.0.0.1:${test.relayer.operationsPort}`;
  const call = callerOf(url);
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const tell = (word: string, body: object = {}, key = SETTLEMENT_KEY) =>
    call('POST', `/operator/${word}`, { body, headers: bearer(key) });
  return {
    test,
    url,
    tell,
    list: async (word, query = {}) => {
      const { status, body } = await call('GET', `/operator/${word}`, { query, headers: bearer(ALICE_KEY) });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.rows;
    },
    funded: async (tokens = { ETH: 10n ** 19n, LRC: 10n ** 22n }) => {
      const account = new TestAccount(test.place);
      for (const [symbol, amount] of Object.entries(tokens)) {
        const report = { owner: account.owner, symbol, amount: String(amount), from: DEPOSITOR, ...someEvent() };
        const { status, body } = await tell('deposit-confirmed', report);
        if (status !== 200) throw new Error(JSON.stringify(body));
        account.accountId = body.accountId;
      }
      return registerKey(test, account);
    },
    code: (address) => void node.code.set(address.toLowerCase(), '0x60'),
    close: async () => {
      await test.close();
      node.close();
    },
  };
}

/** Repeats a question until it has an answer. */
export async function until<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  for (let waited = 0; waited < 240_000; waited += 20) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await sleep(20);
  }
  throw new Error(`not within four minutes: ${what}`);
}

async function registerKey(test: TestRelayer, account: TestAccount): Promise<TestAccount> {
  await until('the deposits are credited', async () => {
    const [row] = await test.relayer.db.query<{ n: number }>(
      `SELECT count(*) AS n FROM requests WHERE account_id = $1 AND status = 'received'`,
      [account.accountId],
    );
    return row?.n === 0;
  });
  await account.sendKey(account.secretKey);
  await until('the key is registered', async () => {
    const { body } = await account.call('GET', '/api/v3/account', { query: { owner: account.owner } });
    return body.nonce === 1;
  });
  account.nonce = 1;
  return account.login();
}
