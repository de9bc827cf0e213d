import { describe, expect, test } from 'vitest';
import { approvalDigest } from '../../src/operations/approvalDigest.ts';
import { askedAgain, reviewOf } from '../../src/operations/askedAgain.ts';
import {
  ChoiceNeeded,
  ClockBehind,
  FactsChanged,
  IntentError,
  leafFields,
  splitFields,
} from '../../src/operations/operation.ts';
import { counterFactual, hashToApprove } from '../../src/operations/ownerApproval.ts';
import { connectKinds, permissionKinds } from '../../src/operations/permissionKinds.ts';
import type { Review } from '../../src/operations/review.ts';
import { isAtLeast, isGrave, severities } from '../../src/operations/severity.ts';
import { signByOwner } from '../../src/operations/signByOwner.ts';
import { listedSymbol, numbered } from '../../src/operations/tokenSymbol.ts';
import { keys, now, OWNER } from './facts.ts';

describe('the digest of an approval', () => {
  const whole = {
    ...{ id: 'q', kind: 'operation', origin: 'https://site.example', operation: 'transfer', account: 'a' },
    ...{ draft: { body: { a: 1 } }, kinds: ['read'], switchTo: 'net', next: { method: 'm' } },
  };
  const exchange = '0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4';

  test.each(Object.keys(whole))('covers its %s', (name) => {
    const digest = approvalDigest(whole, exchange);
    expect(approvalDigest({ ...whole, [name]: 'changed' }, exchange)).not.toBe(digest);
    const { [name as 'draft']: _, ...without } = whole;
    expect(approvalDigest(without, exchange)).not.toBe(digest);
  });

  test('covers the exchange, and nothing else', () => {
    const digest = approvalDigest(whole, exchange);
    expect(approvalDigest(whole, '')).not.toBe(digest);
    expect(approvalDigest({ ...whole, reviewedAt: now, stage: 'ready' } as typeof whole, exchange)).toBe(digest);
  });
});

describe('a request that is put to the user again', () => {
  const review: Review = {
    ...{ sentence: { key: 'review_transfer' }, rows: [], bound: [], unbound: [] },
    warnings: [{ rule: 'own', severity: 'note', text: { key: 'own' } }],
  };
  const reviewed: unknown[][] = [];
  const operation = {
    review: (...of: unknown[]) => {
      reviewed.push(of);
      return review;
    },
  };
  const draft = { body: { a: 1 }, shown: { b: 2 } };
  const signedBefore = { copies: 2, validUntil: now };
  const idJump = { known: 7, named: 9_001 };

  test('has the reasons among its facts, and without any is as it was', () => {
    expect(askedAgain(draft, {})).toBe(draft);
    expect(askedAgain(draft, { signedBefore: undefined, idJump: undefined })).toBe(draft);
    expect(askedAgain(draft, { signedBefore })).toStrictEqual({ body: { a: 1 }, shown: { b: 2, signedBefore } });
    expect(askedAgain(draft, { idJump })).toStrictEqual({ body: { a: 1 }, shown: { b: 2, idJump } });
    expect(askedAgain(draft, { signedBefore, idJump })).toStrictEqual({
      body: { a: 1 },
      shown: { b: 2, signedBefore, idJump },
    });
  });

  test('names them before what the operation itself warns of', () => {
    expect(reviewOf(operation, draft, now)).toBe(review);
    expect(reviewed).toEqual([[draft, now]]);
    expect(reviewOf(operation, { body: {}, shown: undefined }, now)).toBe(review);
    const before = {
      ...{ rule: 'signed-before', severity: 'danger' },
      text: {
        key: 'warning_signedBefore',
        values: { copies: { kind: 'integer', value: 2 }, until: { kind: 'time', seconds: now } },
      },
    };
    const jump = {
      ...{ rule: 'storage-id-jump', severity: 'danger', password: true },
      text: {
        key: 'warning_idJump',
        values: { known: { kind: 'integer', value: 7 }, named: { kind: 'integer', value: 9_001 } },
      },
    };
    const again = (why: Parameters<typeof askedAgain>[1]) => reviewOf(operation, askedAgain(draft, why), now);
    expect(again({ signedBefore, idJump })).toStrictEqual({ ...review, warnings: [before, jump, ...review.warnings] });
    expect(again({ idJump }).warnings).toStrictEqual([jump, ...review.warnings]);
    const past = again({ signedBefore: { copies: 2, validUntil: now - 1 } }).warnings[0];
    const until = { kind: 'time', seconds: now - 1 };
    expect(past?.text).toStrictEqual({
      key: 'warning_signedBeforePast',
      values: { copies: { kind: 'integer', value: 2 }, until },
    });
    const noEnd = again({ signedBefore: { copies: 1, validUntil: null } }).warnings[0];
    expect(noEnd).toStrictEqual({
      ...{ rule: 'signed-before', severity: 'danger' },
      text: { key: 'warning_signedBeforeNoEnd', values: { copies: { kind: 'integer', value: 1 } } },
    });
  });
});

describe('the owner', () => {
  test('of an account that is not deployed is named in the body, any other is not', () => {
    const counterFactualInfo = {
      ...{ accountId: 1, wallet: OWNER, walletFactory: OWNER, walletSalt: '0', walletOwner: OWNER },
    };
    expect(counterFactual({ account: { counterFactualInfo } as never })).toEqual({ counterFactualInfo });
    expect(counterFactual({ account: {} })).toStrictEqual({});
  });

  test('approves a hash on layer 1 where the body says so, also inside an embedded transfer', () => {
    expect(hashToApprove({ hashApproved: '0x1' })).toBe('0x1');
    expect(hashToApprove({ transfer: { hashApproved: '0x2' } })).toBe('0x2');
    expect(hashToApprove({ transfer: { ecdsaSignature: '0x3' } })).toBeNull();
    expect(hashToApprove({ ecdsaSignature: '0x3' })).toBeNull();
  });

  test('approves the request first, and the account key signs its hash; nothing without a storage id', async () => {
    const asked: unknown[] = [];
    const typedData = { primaryType: 'Transfer' };
    const sign = signByOwner<{ a: number }>(
      'submitTransfer',
      (request) => {
        asked.push(request);
        return 10n;
      },
      (chainId, request) => {
        asked.push(chainId, request);
        return typedData as never;
      },
    );
    const order: string[] = [];
    const noting = {
      ...keys,
      async signEddsa(message: bigint) {
        order.push(`key ${message}`);
        return keys.signEddsa(message);
      },
      async approveByOwner(given: unknown) {
        order.push(`owner ${given === typedData}`);
        return { fields: { ecdsaSignature: '0x5' }, header: { signature: '0x6' } } as const;
      },
    };
    const signing = { baseUrl: 'https://relayer.example', chainId: 5 };
    const draft = { body: { a: 1 }, shown: undefined };
    const { bodyText, ...signed } = await sign(draft, 21, signing, noting);
    const request = { a: 1, storageId: 21 };
    expect(asked).toEqual([request, 5, request]);
    expect(order).toEqual(['owner true', 'key 10']);
    expect(signed).toEqual({
      ...{ endpoint: 'submitTransfer', signature: '0x6', hash: `0x${'a'.padStart(64, '0')}` },
    });
    expect(JSON.parse(bodyText ?? '')).toEqual({
      ...request,
      eddsaSignature: expect.stringMatching(/^0x[0-9a-f]{192}$/),
      ecdsaSignature: '0x5',
    });
    await expect(sign(draft, null, signing, noting)).rejects.toThrow('submitTransfer is signed with a storage id');
  });
});

describe('a token whose symbol another one has', () => {
  test('stands under its number, and the relayer’s own symbol is found again', () => {
    const token = { tokenId: 7, symbol: 'LRC', decimals: 18 };
    expect(numbered(token)).toEqual({ tokenId: 7, symbol: '#7 LRC', decimals: 18 });
    for (const one of [token, numbered(token)]) expect(listedSymbol(one)).toBe('LRC');
    expect(listedSymbol({ tokenId: 8, symbol: '#7 LRC' })).toBe('#7 LRC');
    expect(listedSymbol({ tokenId: 7, symbol: 'A #7 B' })).toBe('A #7 B');
  });
});

test('severities rise from a note to a stop, and are grave from a danger on', () => {
  expect(severities).toEqual(['note', 'notice', 'danger', 'stop']);
  expect(severities.map((severity) => isGrave({ severity }))).toEqual([false, false, true, true]);
  expect(severities.map((severity) => isAtLeast(severity, 'notice'))).toEqual([false, true, true, true]);
});

test('a plain connection asks for reading, orders and signatures, and for nothing that moves funds', () => {
  expect(permissionKinds).toEqual(['read', 'orders', 'transfers', 'withdrawals', 'nfts', 'pools', 'key', 'sign']);
  expect(connectKinds).toEqual(['read', 'orders', 'sign']);
});

describe('the fields of a body', () => {
  const body = { a: 1, b: { c: 'x', d: [true, null] }, none: undefined, bc: 2 };

  test('are its leaves with their paths, in order and without those that are absent', () => {
    expect(leafFields(body)).toEqual([
      { path: 'a', value: '1' },
      { path: 'b.c', value: 'x' },
      { path: 'b.d.0', value: 'true' },
      { path: 'b.d.1', value: 'null' },
      { path: 'bc', value: '2' },
    ]);
    expect(leafFields('text', 'there')).toEqual([{ path: 'there', value: 'text' }]);
    expect(leafFields(null)).toEqual([{ path: '', value: 'null' }]);
  });

  test('are covered when they or a part around them is named', () => {
    const paths = (of: readonly { path: string }[]) => of.map(({ path }) => path);
    const { bound, unbound } = splitFields(body, ['b', 'a']);
    expect([paths(bound), paths(unbound)]).toEqual([['a', 'b.c', 'b.d.0', 'b.d.1'], ['bc']]);
    expect(paths(splitFields(body, []).unbound)).toHaveLength(5);
  });
});

test('errors of operations have a name, and what a program or a user needs of them', () => {
  const text = { key: 'problem_slotChanged' };
  const errors = [
    new FactsChanged('gone', text),
    new ClockBehind(90),
    new ChoiceNeeded('a key'),
    new IntentError('token.tokenId', 'is missing'),
  ];
  expect(errors.map(({ name, message }) => `${name}: ${message}`)).toEqual([
    'FactsChanged: gone',
    "ClockBehind: The clock of this machine is 90 s behind the relayer's.",
    'ChoiceNeeded: a key',
    'IntentError: token.tokenId: is missing',
  ]);
  expect(errors[0]).toMatchObject({ text });
  expect(errors[1]).toMatchObject({ seconds: 90 });
  expect(errors[3]).toMatchObject({ field: 'token.tokenId' });
});
