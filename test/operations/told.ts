import { expect } from 'vitest';
import type { AnyOperation } from '../../src/operations/index.ts';
import type { Facts } from '../../src/operations/operation.ts';
import type { Review, Text, Value } from '../../src/operations/review.ts';
import type { SubmittedRequest } from '../../src/operations/submittedRequest.ts';
import { ACCOUNT_ID } from './facts.ts';

function valueText(value: Value): string {
  if (value.kind === 'amount') return `${value.volume} ${value.token.symbol}${value.least ? ' at least' : ''}`;
  if (value.kind === 'price') {
    const { exact, value: digits, quote, base, paid, keep } = value;
    return `${exact ? '' : 'about '}${digits} ${quote} per ${base}${paid ? ', paid' : ''}${keep ? ', kept' : ''}`;
  }
  const { kind, ...rest } = value;
  return `${kind} ${Object.values(rest)[0]}`;
}

export const textOf = ({ key, values = {} }: Text): string =>
  [key, ...Object.entries(values).map(([name, value]) => `${name}=${valueText(value)}`)].join(' ');

/** A whole review as lines: everything in it that is drawn or decides. */
export function told({ sentence, rows, nft, warnings, bound, unbound }: Review): string {
  const paths = (fields: Review['bound']) => fields.map(({ path }) => path).join(' ');
  return [
    textOf(sentence),
    ...rows.map(({ section, label, value, note, emphasis, leaves, detail, unsigned }) =>
      [
        `- ${section ? `[${textOf(section)}] ` : ''}${textOf(label)}: ${valueText(value)}`,
        ...(note ? [textOf(note)] : []),
        ...(emphasis ? [`as ${emphasis}`] : []),
        ...(leaves ? ['leaves'] : []),
        ...(detail ? ['detail'] : []),
        ...(unsigned ? ['unsigned'] : []),
      ].join(' | '),
    ),
    ...(nft ? [`picture of ${nft.nftId}${nft.slot === undefined ? '' : ` in slot ${nft.slot}`}`] : []),
    ...warnings.map(
      ({ rule, choice, severity, password, text }) =>
        `! ${severity}${password ? ' password' : ''} ${rule}${choice ? ` of choice ${choice}` : ''}: ${textOf(text)}`,
    ),
    `bound: ${paths(bound)}`,
    `unbound: ${paths(unbound)}`,
  ].join('\n');
}

/** Facts that write down what was asked of the relayer, in order. */
export function noting(facts: Facts): { readonly facts: Facts; readonly asked: string[] } {
  const asked: string[] = [];
  const note = (how: string, name: string, input: { query?: unknown; body?: unknown }, rest: object | number | '') => {
    const { query, body } = input;
    asked.push(
      [how, name, JSON.stringify(query ?? body ?? {}), rest === '' ? '' : JSON.stringify(rest)].join(' ').trim(),
    );
  };
  return {
    asked,
    facts: {
      ...facts,
      read: (name, input) => {
        note('read', name, input, '');
        return facts.read(name, input);
      },
      find: (name, input, refusals) => {
        note('find', name, input, refusals);
        return facts.find(name, input, refusals);
      },
      recent: (name, input, age) => {
        note('recent', name, input, age);
        return facts.recent(name, input, age);
      },
    },
  };
}

/** A request as the journal holds it. */
export const submittedWith = (changes: Partial<SubmittedRequest> = {}): SubmittedRequest => ({
  accountId: ACCOUNT_ID,
  hash: `0x${'0'.repeat(63)}7`,
  body: {},
  signedBody: {},
  query: {},
  ack: {},
  ...changes,
});

/** A request with a storage id is never signed without one. */
export const expectStorageIdNeeded = (operation: AnyOperation, draft: object) =>
  expect(
    operation.sign(draft as never, null, { baseUrl: 'http://127.0.0.1', chainId: 1 }, {} as never),
  ).rejects.toThrow(/with a storage id/);

/** A row of a history whose hash is that of `submittedWith`, and its number of block 9. */
export const historyRow = (changes: object = {}) => ({
  id: 1,
  hash: '0x7',
  txType: 'transfer',
  symbol: 'LRC',
  amount: '1',
  feeTokenSymbol: 'LRC',
  feeAmount: '1',
  status: 'processed',
  progress: '100%',
  timestamp: 1,
  updatedAt: 1,
  blockId: 9,
  indexInBlock: 0,
  ...changes,
});

/** Properties by which the rest of the wallet knows an operation. */
export const traitsOf = (operation: AnyOperation): string => {
  const { name, method, permission, group, picture, confirm, shownBy, reapproveOn, signs, settle } = operation;
  const marks = (['own', 'placesOrder', 'ownerApproves', 'permissionFirst', 'changesKey', 'handsOver'] as const).filter(
    (mark) => operation[mark] === true,
  );
  return [
    `${name} ${method} ${permission} ${group}`,
    ...marks,
    ...(confirm ? [`confirmed by ${confirm}`] : []),
    ...(shownBy ? [`in a ${shownBy}`] : []),
    ...(picture ? [`drawn as ${picture}`] : []),
    ...(reapproveOn ? [`again on ${reapproveOn.join()}`] : []),
    ...(signs ? [`signs ${signs.join()}`] : []),
    ...(settle.reportsHash ? ['its hash is reported'] : []),
  ].join(', ');
};
