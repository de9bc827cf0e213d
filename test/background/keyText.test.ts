import { describe, expect, test } from 'vitest';
import { keyFile, keyText, randomKey, readKey } from '../../src/background/keys/keyText.ts';
import { createKeyUse, keyInfo } from '../../src/background/keys/keyUse.ts';
import { hexPoint } from '../../src/background/keys/stagedKeys.ts';
import { getPublicKey, SUBGROUP_ORDER } from '../../src/crypto/index.ts';
import { listenForReports } from '../../src/report/report.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createPromiseLock } from '../support/promiseLock.ts';
import { wipedIn } from '../support/wipedIn.ts';
import { cheap, password } from '../vault/harness.ts';

/** Little-endian, as the curve takes it. */
const keyOf = (number: bigint) => Uint8Array.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse());
const ORDER = SUBGROUP_ORDER;
const UNUSABLE = { name: 'UiFailure', code: 'invalid-input', key: 'error_keyUnusable' };

describe('a random key', () => {
  const drawn = (...draws: Uint8Array[]) => {
    const left = [...draws];
    return randomKey((length) => {
      expect(length).toBe(32);
      return left.shift() as Uint8Array;
    });
  };

  test('is the drawn number, of 251 bits at most', () => {
    expect(drawn(keyOf(7n))).toEqual(keyOf(7n));
    const high = keyOf(7n);
    high[31] = 0xf8;
    expect(drawn(high)).toEqual(keyOf(7n));
    expect(drawn(keyOf(1n << 250n))).toEqual(keyOf(1n << 250n));
    expect(drawn(keyOf(ORDER - 1n))).toEqual(keyOf(ORDER - 1n));
  });

  test.each([0n, ORDER, ORDER + 1n])('is drawn again instead of %i, which is wiped', (number) => {
    const refused = keyOf(number);
    expect(drawn(refused, keyOf(3n))).toEqual(keyOf(3n));
    expect(refused).toEqual(new Uint8Array(32));
  });
});

describe('what a user brings', () => {
  const key = keyOf(0x0123n);
  const digits = '0123'.padStart(64, '0');
  const json = (value: unknown) => JSON.stringify(value);

  test('is written and read as the number', async () => {
    expect(keyText(key)).toBe(`0x${digits}`);
    expect(key).toEqual(keyOf(0x0123n));
    for (const text of [`0x${digits}`, digits, '0x123', '123', ` 0x123\n`, json({ privateKey: '0x123', more: 1 })])
      expect(await readKey(text, null, null)).toEqual(key);
    expect(await readKey('aBcD', null, null)).toEqual(keyOf(0xabcdn));
    expect(await readKey((ORDER - 1n).toString(16), null, null)).toEqual(keyOf(ORDER - 1n));
  });

  test.each([
    '',
    '0x',
    '0',
    '12g',
    'x123',
    '123x',
    '0x123 4',
    '1'.repeat(65),
    ORDER.toString(16),
    json({ privateKey: 7 }),
    json({ privateKey: `0x${'0'.repeat(99)}1` }),
    json({}),
  ])('is refused as “%s”', async (text) => {
    await expect(readKey(text, null, null)).rejects.toMatchObject(UNUSABLE);
  });

  test('is taken with its lowest byte first only when so it gives the registered key', async () => {
    const asBytes = keyOf(0x010200n);
    const text = Buffer.from(asBytes).toString('hex');
    const asNumber = keyOf(BigInt(`0x${text}`));
    expect(await readKey(text, null, getPublicKey(asBytes))).toEqual(asBytes);
    const { x, y } = getPublicKey(asBytes);
    for (const registered of [null, { x, y: y + 1n }, { x: x + 1n, y }, getPublicKey(asNumber)])
      expect(await readKey(text, null, registered)).toEqual(asNumber);
    // As a number this is too large for a key.
    expect(await readKey(`ff${'0'.repeat(62)}`, null, null)).toEqual(keyOf(0xffn));
  });

  test('is left in no other place than the one that it is given back in', async () => {
    const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
    expect(await wipedIn(() => keyText(key))).toEqual([digits]);
    const reversed = hexOf(key);
    // Read with the lowest byte first, these digits are no key. Each reading is written out once.
    const wiped = await wipedIn(() => readKey(digits, null, null));
    // A core in WebAssembly wipes its own copy, which is empty by then.
    expect(wiped.filter((hex) => /[^0]/.test(hex))).toEqual([digits, reversed, digits]);
    const asBytes = keyOf(0x010200n);
    const text = hexOf(asBytes);
    const asNumber = hexOf(Uint8Array.from(asBytes).reverse());
    const wipedOf = async (registered: Parameters<typeof readKey>[2]) =>
      (await wipedIn(() => readKey(text, null, registered))).filter((hex) => [text, asNumber].includes(hex));
    expect(await wipedOf(null)).toEqual([text, asNumber, text]);
    expect(await wipedOf(getPublicKey(asBytes))).toEqual([text, asNumber, asNumber]);
  });

  test('as a key file needs the password of it', async () => {
    const network = { id: 'net', name: 'Net', baseUrl: 'https://relayer.example', chainId: 5, exchangeAddress: '0xe' };
    const ports = { kdfCost: cheap, randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) };
    const text = await keyFile(ports, { network, accountId: 7, owner: '0xo' }, key, password);
    expect(JSON.parse(text)).toMatchObject({
      about: { exchange: '0xe', chainId: 5, accountId: 7, owner: '0xo', publicKey: hexPoint(getPublicKey(key)) },
      kdf: cheap,
    });
    await expect(readKey(text, null, null)).rejects.toMatchObject({
      ...{ name: 'UiFailure', code: 'password-needed', key: 'error_keyFilePassword' },
    });
    await expect(readKey(text, 'another', null)).rejects.toMatchObject({ code: 'wrong-password' });
    await expect(readKey(text, '', null)).rejects.toMatchObject({ code: 'bad-input' });
    expect(await readKey(text, password, null)).toEqual(key);
  });
});

describe('the use of a key', () => {
  const account = { id: 'net:7', publicKey: { x: '0x1', y: '0x2' } };
  function start() {
    const { area: local, failWrite } = createFaultyArea();
    const told: string[] = [];
    listenForReports(({ where }) => told.push(where));
    return { local, failWrite, told, keyUse: createKeyUse({ local, lock: createPromiseLock() }) };
  }

  test('is counted for each account, from none for another key', async () => {
    const { keyUse } = start();
    expect(await keyUse.signatures(account)).toBe(0);
    for (const _ of [1, 2, 3]) keyUse.count(account);
    await expect.poll(() => keyUse.signatures(account)).toBe(3);
    expect(await keyUse.signatures({ ...account, id: 'net:8' })).toBe(0);
    const next = { ...account, publicKey: { x: '0x3', y: '0x2' } };
    expect(await keyUse.signatures(next)).toBe(0);
    keyUse.count(next);
    await expect.poll(() => keyUse.signatures(next)).toBe(1);
    expect(await keyUse.signatures(account)).toBe(0);
  });

  test.each([{ x: '0x1', signatures: -1 }, { x: '0x1', signatures: 1.5 }, { x: 1, signatures: 4 }, 'text'])(
    'is none when %j is stored',
    async (stored) => {
      const { keyUse, local } = start();
      await local.set({ 'key-use:net:7': stored });
      expect(await keyUse.signatures(account)).toBe(0);
    },
  );

  test('that cannot be stored is told of, and holds nothing up', async () => {
    const { keyUse, failWrite, told } = start();
    failWrite(0);
    keyUse.count(account);
    await expect.poll(() => told).toEqual(['keys: count signatures']);
    expect(await keyUse.signatures(account)).toBe(0);
  });

  test('is shown with the kind and age of the key, if they are known', async () => {
    const keyUse = { signatures: async () => 4 };
    const of = { ...account, networkId: 'net', accountId: 7, owner: '0xo', label: 'Main', signer: 'one', keySeed: '' };
    const shown = { account: 'net:7', publicKey: account.publicKey, signatures: 4 };
    expect(await keyInfo({ keyUse }, of)).toEqual({ ...shown, kind: 'derived', since: null });
    const key = { kind: 'imported', since: 5 } as const;
    expect(await keyInfo({ keyUse }, { ...of, key })).toEqual({ ...shown, kind: 'imported', since: 5 });
  });
});
