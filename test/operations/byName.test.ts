import { describe, expect, it } from 'vitest';
import {
  approvableNamed,
  changesKey,
  findOperation,
  isOperation,
  operationNamed,
  operations,
  placesOrder,
  recordedFee,
  recordedRecipient,
} from '../../src/operations/index.ts';
import { standingApproval } from '../../src/operations/standingApproval.ts';

const payeeAddr = '0x2222222222222222222222222222222222222222';
const transfer = (draft: unknown) => ({ operation: 'transfer', draft });
const paid = (volume: unknown) => transfer({ payeeAddr, maxFee: { tokenId: 3, volume } });

describe('an operation by its name', () => {
  it('is found by the name that it has itself', () => {
    for (const [name, operation] of Object.entries(operations)) {
      expect(operation.name).toBe(name);
      expect([operationNamed(name), findOperation(name), approvableNamed(name)]).toEqual(Array(3).fill(operation));
    }
  });

  it('is none when this version has none, also of the words that every object knows', () => {
    for (const name of ['toString', 'constructor', 'order', '']) {
      expect([isOperation(name), findOperation(name)]).toEqual([false, undefined]);
      expect([placesOrder(name), changesKey(name)]).toEqual([false, false]);
      for (const find of [operationNamed, approvableNamed])
        expect(() => find(name)).toThrow(`no operation is named ${name}`);
    }
  });

  it('is approved like a standing approval, which is no operation', () => {
    expect(approvableNamed(standingApproval.name)).toBe(standingApproval);
    expect(findOperation(standingApproval.name)).toBeUndefined();
  });

  it('says whether it places an order, and whether it changes the key', () => {
    const names = (is: (name: string) => boolean) => Object.keys(operations).filter(is);
    expect(names(placesOrder)).toEqual(['submitOrder', 'replaceOrder', 'submitOneOf']);
    expect(names(changesKey)).toEqual(['updateAccountKey']);
  });
});

describe('what a record says of its request', () => {
  it('is its recipient and its fee', () => {
    expect(recordedRecipient(paid('12'))).toBe(payeeAddr);
    expect(recordedFee(paid('12'))).toEqual({ requestType: 3, tokenId: 3, volume: '12' });
  });

  it.each([
    ['another version of the wallet made it', { operation: 'lend', draft: { payeeAddr } }],
    ['its draft is none', transfer(null)],
    ['its draft is empty', transfer({})],
    ['its operation has neither', { operation: 'signMessage', draft: {} }],
  ])('is nothing when %s', (_what, record) => {
    expect([recordedRecipient(record), recordedFee(record)]).toEqual([undefined, undefined]);
  });

  it('is no recipient that is no text, and no fee without an amount', () => {
    expect(recordedRecipient(transfer({ payeeAddr: 7 }))).toBeUndefined();
    for (const volume of [undefined, '', 'x12', '12x', '-1']) expect(recordedFee(paid(volume))).toBeUndefined();
  });
});
