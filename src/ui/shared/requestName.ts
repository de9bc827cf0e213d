import type { Text } from '../../operations/review.ts';

const names: Readonly<Record<string, string>> = {
  review_submitOrder: 'request_order',
  review_replaceOrder: 'request_order',
  review_cancelOrder: 'request_cancelOrder',
};

/**
 * A request as a thing that was asked for: in a list the sentence that was approved would read as
 * an instruction.
 */
export const requestName = (sentence: Text): Text => {
  const name = names[sentence.key] ?? sentence.key;
  return { ...sentence, key: name === 'request_cancelOrder' && sentence.values ? 'request_cancelOrderOf' : name };
};
