import { bytesToHex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptBy } from './support/kept.ts';
import { request } from './support/site.ts';
import { approveIn, ORDER, PASSWORD, type Stage, setStage } from './support/stage.ts';

let stage: Stage;
const SECOND_KEY = generatePrivateKey();
const consoleLines: string[] = [];
beforeAll(async () => {
  stage = await setStage();
  stage.extension.context.on('console', (message) => consoleLines.push(message.text()));
});
afterAll(() => stage?.close());

/** The secrets of this stage in the forms in which code could leave them behind. */
function forms(): Record<string, string[]> {
  const { privateKey, secretKey, apiKey } = stage.account;
  const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');
  const big = bytesToHex(Uint8Array.from(secretKey).reverse());
  const spell = (hex: string) => [
    hex.slice(2),
    BigInt(hex).toString(),
    bytes(hex).toString('base64'),
    [...bytes(hex)].join(','),
  ];
  return {
    'L1 key': spell(privateKey),
    'second L1 key': spell(SECOND_KEY),
    'EdDSA key': [...spell(big), ...spell(bytesToHex(secretKey))],
    'API key': [apiKey, Buffer.from(apiKey).toString('base64')],
    password: [PASSWORD, Buffer.from(PASSWORD).toString('base64')],
  };
}

function foundIn(text: string): string[] {
  const plain = text.toLowerCase();
  return Object.entries(forms())
    .filter(([, spellings]) => spellings.some((spelling) => plain.includes(spelling.toLowerCase())))
    .map(([name]) => name);
}

test('after an order, no store, message or log holds a secret in the clear', async () => {
  const { extension } = stage;
  await extension.ui('lock', {});
  await extension.ui('unlock', { password: PASSWORD });
  await extension.ui('importSigner', { privateKey: SECOND_KEY });
  const page = await stage.connectedPage();
  const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [ORDER]);
  await approveIn(window);
  const outcome = await answer;
  const balances = await request(page, 'relayer_getBalances');
  const { local, session, databases } = await keptBy(extension);
  expect(foundIn(`x${stage.account.privateKey.toUpperCase()} ${stage.account.apiKey}`)).toEqual(['L1 key', 'API key']);
  // The scan sees what is there: the order is in the journal, the account in the config, what the
  // worker logs among the lines.
  expect(databases).toContain((outcome as { result: { hash: string } }).result.hash);
  expect(local).toContain(stage.account.owner);
  for (const [place, text] of Object.entries({ local, session, databases })) expect(foundIn(text), place).toEqual([]);
  const events = await page.evaluate(() => JSON.stringify((globalThis as unknown as { events: unknown[] }).events));
  expect(foundIn(JSON.stringify([outcome, balances]) + events)).toEqual([]);
  await extension.context.serviceWorkers()[0]?.evaluate(() => console.log('planted line'));
  await expect.poll(() => consoleLines).toContain('planted line');
  expect(foundIn(consoleLines.join('\n'))).toEqual([]);
  await stage.leave(page);
});
