import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { bytesToHex, hashMessage } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { ownerSignature } from '../../src/background/recoverSigner.ts';
import { signMessage } from '../../src/operations/signMessage.ts';
import { signTypedData } from '../../src/operations/signTypedData.ts';
import { exchangeDomain, keySeedText, poolDomain, typedDataTypes } from '../../src/protocol/index.ts';
import { FRIEND, factsWith, keys, now, OWNER } from './support.ts';

const facts = factsWith();
const hex = (text: string) => bytesToHex(utf8ToBytes(text));
const draftOf = (text: string) => signMessage.prepare({ account: OWNER as never, message: hex(text) }, facts);
const signed = { baseUrl: facts.baseUrl, chainId: facts.chainId };
const signIn = (host: string) =>
  `${host} wants you to sign in with your Ethereum account:\n${OWNER}\n\nURI: https://${host}\nVersion: 1\nNonce: 12345678`;

describe('a text', () => {
  test('is shown whole and signed as it is shown, by the owner', async () => {
    const text = 'Hello, Ana! 👋\nSecond line';
    const draft = await draftOf(text);
    expect(signMessage.review(draft, now).rows).toEqual([
      { label: { key: 'review_message' }, value: { kind: 'document', text } },
      { label: { key: 'review_signedBy' }, value: { kind: 'address', address: OWNER } },
    ]);
    const { bodyText, hash, endpoint } = await signMessage.sign(draft, null, signed, keys);
    expect([endpoint, hash]).toEqual(['none', hashMessage(text)]);
    const { signature } = JSON.parse(bodyText ?? '{}');
    expect(await ownerSignature(hash, signature, OWNER)).toBe(signature);
    expect(signMessage.answer?.({ signedBody: { signature } } as never)).toBe(signature);
  });

  test.each([
    ['bytes that are no text', '0xff00', 'message: is no text; what cannot be shown is not signed'],
    ['nothing', '0x', 'message: is empty'],
    [
      'a digest, which the exchange would take for the request behind it',
      `0x${'41'.repeat(32)}`,
      'message: has the 32 bytes of a digest, which could stand for anything',
    ],
    ['more than fits a screen', hex('x'.repeat(20_001)), 'message: has more than 20000 characters'],
  ])('is refused when it is %s', async (_what, message, problem) => {
    await expect(signMessage.prepare({ account: OWNER as never, message }, facts)).rejects.toThrow(problem);
  });

  const seed = keySeedText(facts.exchangeAddress, 3);
  test.each([
    ['the key text of this exchange', seed],
    ['that of another exchange', keySeedText(FRIEND, 0)],
    ['one inside a longer text', `Welcome!\n\n${seed}\n\nThank you.`],
    ['one spelled as hex', `0x${Buffer.from(seed).toString('hex')}`],
    ['one in letters that look alike', seed.replaceAll('e', 'е')],
    ['one with invisible characters', seed.split('').join('\u200b')],
    ['that of another layer-2 system', 'Access zkSync account.\n\nOnly sign this message for a trusted client!'],
    ['anything that names an exchange of this wallet', `I own ${facts.exchangeAddress}`],
  ])('is refused when it is %s', async (_what, text) => {
    await expect(draftOf(text)).rejects.toThrow('message: reads like a text that exchange keys are made from');
  });

  test.each([
    ['signs in at the site that asks', signIn('site.example'), 'review_signIn', []],
    ['signs in at another site', signIn('bank.example'), 'review_signIn', ['sign-in-elsewhere']],
    ['signs in by a longer address', `https://${signIn('bank.example')}`, 'review_signIn', ['sign-in-elsewhere']],
    ['turns the reading direction', 'pay \u202e001 to Ana', 'review_signMessage', ['text-hides']],
    ['has tabs and lines', 'a\tb\r\nc', 'review_signMessage', []],
  ])('that %s is called so', async (_what, text, sentence, rules) => {
    const review = signMessage.review(await draftOf(text), now);
    expect([review.sentence.key, review.warnings.map(({ rule }) => rule)]).toEqual([sentence, rules]);
  });
});

describe('typed data', () => {
  const members = (text: string) =>
    text.split(', ').map((member) => ({ type: member.split(' ')[0] ?? '', name: member.split(' ')[1] ?? '' }));
  const EIP712Domain = members('string name, string version, uint256 chainId, address verifyingContract');
  const domain = { name: 'Votes', version: '1', chainId: facts.chainId, verifyingContract: FRIEND };
  const vote = {
    types: { EIP712Domain, Vote: members('string proposal, bool support, address voter') },
    primaryType: 'Vote',
    domain,
    message: { proposal: 'Build it', support: true, voter: OWNER },
  };
  const asked = (document: unknown) =>
    signTypedData.prepare({ account: OWNER as never, typedData: JSON.stringify(document) }, facts);

  test('is shown value by value and signed as it is shown, by the owner', async () => {
    const draft = await asked(vote);
    const review = signTypedData.review(draft, now);
    expect(review.rows.map(({ label, value }) => [label.values?.path, value])).toEqual([
      [
        { kind: 'text', text: 'domain.name' },
        { kind: 'document', text: 'Votes' },
      ],
      [
        { kind: 'text', text: 'domain.version' },
        { kind: 'document', text: '1' },
      ],
      [
        { kind: 'text', text: 'domain.chainId' },
        { kind: 'text', text: String(facts.chainId) },
      ],
      [
        { kind: 'text', text: 'domain.verifyingContract' },
        { kind: 'address', address: FRIEND },
      ],
      [
        { kind: 'text', text: 'proposal' },
        { kind: 'document', text: 'Build it' },
      ],
      [
        { kind: 'text', text: 'support' },
        { kind: 'text', text: 'true' },
      ],
      [
        { kind: 'text', text: 'voter' },
        { kind: 'address', address: OWNER },
      ],
      [undefined, { kind: 'address', address: OWNER }],
    ]);
    expect([review.warnings, review.unbound]).toEqual([[], []]);
    const { bodyText, hash } = await signTypedData.sign(JSON.parse(JSON.stringify(draft)), null, signed, keys);
    expect(hexToBytes(hash.slice(2))).toHaveLength(32);
    expect(await ownerSignature(hash, JSON.parse(bodyText ?? '{}').signature, OWNER)).not.toBeNull();
  });

  const transfer = {
    from: OWNER,
    to: FRIEND,
    tokenID: 1,
    amount: '1',
    feeTokenID: 0,
    maxFee: '1',
    validUntil: now,
    storageID: 1,
  };
  const seed = keySeedText(facts.exchangeAddress, 3);
  const exchange = exchangeDomain(facts.chainId, facts.exchangeAddress);
  test.each([
    ['no JSON', '{', 'typedData: is no JSON'],
    ['for another chain', { ...vote, domain: { ...domain, chainId: 1 } }, 'domain.chainId: is 1, and this site is on'],
    [
      'by an exchange of this wallet',
      { ...vote, domain: { ...domain, verifyingContract: exchange.verifyingContract } },
      'domain.verifyingContract: is an exchange of this wallet',
    ],
    [
      'by an exchange of this wallet in small letters',
      { ...vote, domain: { ...domain, verifyingContract: exchange.verifyingContract.toLowerCase() } },
      'domain.verifyingContract: is an exchange of this wallet',
    ],
    [
      'in the name of the exchange',
      { ...vote, domain: { ...domain, name: ' LOOPRING protocol' } },
      'domain.name: is that of an exchange',
    ],
    [
      'a request of the exchange under another domain',
      {
        types: { EIP712Domain, Transfer: typedDataTypes.Transfer },
        primaryType: 'Transfer',
        domain,
        message: transfer,
      },
      'primaryType: is a request of the exchange protocol',
    ],
    [
      'an exit of a pool',
      {
        types: { EIP712Domain, Leave: typedDataTypes.PoolExit },
        primaryType: 'Leave',
        domain: poolDomain(facts.chainId, 'AMM-LRC-ETH', FRIEND),
        message: { owner: OWNER, burnAmount: '1', burnStorageID: 1, exitMinAmounts: [], fee: '0', validUntil: now },
      },
      'primaryType: is a request of the exchange protocol',
    ],
    ['with a key text inside', { ...vote, message: { ...vote.message, proposal: seed } }, 'message: reads like a text'],
    [
      'with a key text as hex inside',
      { ...vote, message: { ...vote.message, proposal: `0x${Buffer.from(seed).toString('hex')}` } },
      'message: reads like a text',
    ],
    [
      'with a key text in two parts',
      {
        ...vote,
        types: { EIP712Domain, Vote: members('string a, string b') },
        message: { a: 'Sign this message to access Loop', b: 'ring Exchange' },
      },
      'message: reads like a text',
    ],
  ])('is refused when it is %s', async (_what, document, problem) => {
    const typedData = typeof document === 'string' ? document : JSON.stringify(document);
    await expect(signTypedData.prepare({ account: OWNER as never, typedData }, facts)).rejects.toThrow(problem);
  });

  test('that lets somebody spend, or hides characters, is called so', async () => {
    const permit = {
      ...vote,
      types: { EIP712Domain, Permit: members('address owner, address spender, uint256 value') },
      primaryType: 'Permit',
      message: { owner: OWNER, spender: FRIEND, value: '1' },
    };
    const rules = async (document: unknown) =>
      signTypedData.review(await asked(document), now).warnings.map(({ rule }) => rule);
    expect(await rules(permit)).toEqual(['lets-spend']);
    expect(
      await rules({ ...permit, primaryType: 'Grant', types: { ...permit.types, Grant: permit.types.Permit } }),
    ).toEqual(['lets-spend']);
    expect(await rules({ ...vote, message: { ...vote.message, proposal: 'a\u202eb' } })).toEqual(['text-hides']);
  });
});
