import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExactKeySeed, isKeySeedLike, keySeedText } from '../../src/protocol/index.ts';
import { exchange, other, owner } from './samples.ts';

const seed = keySeedText(exchange, 0);
const hexOf = (text: string) => `0x${Buffer.from(text).toString('hex')}`;
const fullWidth = (text: string) => text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));

/**
 * For each phrase, in the order of the list, a text that no other phrase recognises. Those that
 * contain a shorter one tolerate more unknown letters.
 */
const ofProducts = [
  'Sign this message to sign in to MyDex with key nonce: 7',
  'Sign this message to access Loopring',
  `Loopring Exchange ${exchange}`,
  `MyDex, key nonce ${exchange}`,
  'Access zkSync account.',
  'Access Foo account.\n\nOnly sign this message for a trusted client!\nChain ID: 42.',
  'Access Foo account.\n\nOnly sign this message if you trust the application.',
  'dYdX STꮯꮯꮯ Key',
  JSON.stringify({ domain: { name: 'dYdX' }, message: { action: 'dYdX Onboarding' } }),
  JSON.stringify({ domain: { name: 'dYdX Chain' }, message: { action: 'dYdX Chain Onboarding' } }),
  'name: ApeX\nversion: 1.0\nenvId: 1\naction: L2 Key',
  'name: ApeX\nversion: 1.0\nonlySignOn: https://pro.apex.exchange',
  'Only sign this request if you’ve initiated an action with Immutable X.',
  'Only sign this key linking request from Immutable X',
  'Key derivation: STARK curve',
  'Sign this message to generate your STꮯꮯꮯ key.',
  'Sign this message to derive your STꮯꮯꮯ key.',
  'Sign this message to generate your L2 key.',
  'Sign this message to generate layer 2 key.',
  'Sign this message to generate your trading key.',
  'Sign this message to create your trading key.',
  'Sign this message to derive your trading key.',
  'Sign this message to generate your ꮯꮯꮯꮯꮯꮯe key.',
  'Access edgeX account.\n\nSign this message on the official site.',
  'Sign this message to access Lighter account.',
  'Sign this message to generate your Aztec account.',
  'Your Aztec Spending Key lets the application spend your funds.',
  'Your Aztec Privacy Key lets the application see your funds.',
  'Sign this message to generate your spending key.',
  'Sign this message to generate your viewing key.',
  'Sign this message to generate your Fluidkey account.',
  'Sign this message to unlock your private payment keys.\n\nWARNING: …',
  'Sign to derive your RAILGUN wallet',
  'Sign this message to access your Umbra account.',
  'XMTP : Create Identity\n0a1b\n\nFor more info: https://xmtp.org/signatures/',
  'XMTP : Enable Identity\n5f3a\n\nFor more info: https://xmtp.org/signatures/',
  'Enable Push Profile \n5f3a',
  'Enable Push Chat Profile \n5f3a',
  'Sign this message to access DeGate Protocol.',
  'Sign this message to log in to DeGate.',
  JSON.stringify({ domain: { name: 'Paradex' }, message: { action: 'STARK Key' } }),
  'Sign this message to derive your private key.',
  'Sign here and generate your private key.',
  'Sign this message to unlock your private encryption key.',
];

describe('isExactKeySeed', () => {
  it('accepts the template of this exchange and nonce', () => {
    expect(isExactKeySeed(seed, exchange, 0)).toBe(true);
  });

  it.each([
    ['another nonce', keySeedText(exchange, 1)],
    ['another exchange', keySeedText(owner, 0)],
    ['another letter case of the exchange', keySeedText(exchange.toLowerCase(), 0)],
    ['a space at the end', `${seed} `],
    ['a line break at the end', `${seed}\n`],
    ['a zero-width space', seed.replace('key', 'k​ey')],
    ['a Cyrillic letter', seed.replace('access', 'аccess')],
    ['a longer text', `Hello.\n${seed}`],
    ['a longer nonce', `${seed}0`],
    ['hex', hexOf(seed)],
    ['nothing', ''],
  ])('refuses %s', (_what, text) => {
    expect(isExactKeySeed(text, exchange, 0)).toBe(false);
  });

  it('refuses everything for inputs that make no template', () => {
    expect(isExactKeySeed('', 'no address', 0)).toBe(false);
    expect(isExactKeySeed(seed, exchange, -1)).toBe(false);
  });
});

describe('isKeySeedLike', () => {
  it.each([
    ['the seed', seed],
    ['the seed of another exchange', keySeedText(owner, 0)],
    ['the seed with another nonce', keySeedText(exchange, 4_294_967_295)],
    ['a custom seed', 'Welcome to MyDex with key nonce: 7'],
    ['upper case', seed.toUpperCase()],
    ['spaces between the letters', [...seed].join(' ')],
    ['line breaks', seed.replaceAll(' ', '\n')],
    ['no-break spaces', seed.replaceAll(' ', ' ')],
    ['zero-width characters', [...seed].join('​')],
    ['joiners and a byte order mark', `﻿${seed.replace('nonce', 'non‍ce')}`],
    ['control characters', seed.replace('with', 'wi\x00th').replace('key', 'k\x07ey')],
    ['a right-to-left override', `‮${seed}`],
    ['soft hyphens', seed.replace('nonce', 'non­ce')],
    ['accents', seed.replaceAll('e', 'é').replaceAll('o', 'ö')],
    ['combining marks', [...seed].join('̃')],
    ['Cyrillic letters', seed.replaceAll('e', 'е').replaceAll('o', 'о').replaceAll('c', 'с')],
    ['Greek capitals', 'WITH KEY ΝΟΝCΕ: 0'],
    ['full-width letters', fullWidth(seed)],
    ['mathematical letters', '𝐰𝐢𝐭𝐡 𝐤𝐞𝐲 𝐧𝐨𝐧𝐜𝐞: 0'],
    ['circled letters', 'ⓦⓘⓣⓗ ⓚⓔⓨ ⓝⓞⓝⓒⓔ'],
    ['digits for letters', 'w1th k3y n0nce'],
    ['signs for letters', 'w|th key nonce'],
    ['a letter of an unlisted script', 'with key noꮯce: 0'],
    ['punctuation', 'with-key_nonce'],
    ['a longer text', `Welcome to our game!\n\nPlease confirm:\n${seed}\n\nNo gas needed.`],
    ['hex', hexOf(seed)],
    ['hex in upper case without 0x', hexOf(seed).slice(2).toUpperCase()],
    ['hex with spaces', hexOf(seed).replace(/(..)/g, '$1 ')],
    ['hex of hex', hexOf(hexOf(seed))],
    ['hex of UTF-16', `0x${Buffer.from(seed, 'utf16le').toString('hex')}`],
    ['hex of a longer text', hexOf(`Log in. ${seed}`)],
    ['base64', Buffer.from(seed).toString('base64')],
    ['base64 for URLs', Buffer.from(seed).toString('base64url')],
    ['base64 inside a text', `Log in with ${Buffer.from(seed).toString('base64')} now`],
    [
      'base64 with line ends',
      (
        Buffer.from(seed)
          .toString('base64')
          .match(/.{1,60}/g) ?? []
      ).join('\n'),
    ],
    ['percent escapes', encodeURIComponent(seed)],
    ['percent escapes of every letter', [...Buffer.from(seed)].map((byte) => `%${byte.toString(16)}`).join('')],
    ['HTML escapes', [...seed].map((letter) => `&#${letter.codePointAt(0)};`).join('')],
    ['hex of base64', hexOf(Buffer.from(seed).toString('base64'))],
  ])('recognises %s', (_what, text) => {
    expect(isKeySeedLike(text)).toBe(true);
  });

  it.each(ofProducts)('recognises “%s”', (text) => {
    expect(isKeySeedLike(text)).toBe(true);
  });

  it.each([
    ['as it is', `Approve ${exchange}`],
    ['in lower case', `approve ${exchange.toLowerCase()} please`],
    ['without 0x', exchange.slice(2)],
    ['broken by spaces', [...exchange].join(' ')],
    ['in full-width letters', fullWidth(exchange)],
    ['in hex', hexOf(`to ${exchange}`)],
    ['inside typed data', JSON.stringify({ domain: { verifyingContract: exchange } })],
  ])('recognises the exchange address %s', (_how, text) => {
    expect(isKeySeedLike(text, [exchange])).toBe(true);
    expect(isKeySeedLike(text, [other, exchange])).toBe(true);
    expect(isKeySeedLike(text, [other])).toBe(false);
  });

  it.each([
    [''],
    ['0x'],
    ['Hello, world!'],
    [
      `example.org wants you to sign in with your Ethereum account:\n${owner}\n\nURI: https://example.org\nVersion: 1\nNonce: 32891756`,
    ],
    ['Sign this message to prove that you own this wallet. Nonce: 12345'],
    ['Please sign to log in. Key: value, nonce: 7'],
    ['这是一条登录消息，请签名以继续。一次性编号：一二三四五六七八九十'],
    ['Подпишите это сообщение, чтобы войти на сайт. Одноразовый номер: 1234'],
    ['このメッセージに署名してログインしてください。'],
    [hexOf('Sign in to example.org')],
    [`0x${'12'.repeat(32)}`],
    [
      JSON.stringify({
        domain: { name: 'USD Coin' },
        primaryType: 'Permit',
        message: { owner, spender: other, nonce: '0' },
      }),
    ],
  ])('lets %j pass', (text) => {
    expect(isKeySeedLike(text, [exchange])).toBe(false);
  });

  it('recognises the seed inside any text and in any letter case', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        fc.nat(0xffffffff),
        fc.infiniteStream(fc.boolean()),
        (before, after, nonce, cases) => {
          const mixed = [...keySeedText(exchange, nonce)]
            .map((letter) => (cases.next().value ? letter.toUpperCase() : letter.toLowerCase()))
            .join('');
          expect(isKeySeedLike(`${before} ${mixed} ${after}`)).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('takes time in proportion to the length of the text', () => {
    // A time that grew with the square of the length would end in no test.
    expect(isKeySeedLike('with key ж'.repeat(200_000))).toBe(false);
  });
});
