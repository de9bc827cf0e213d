import {
  bodyText,
  type NftOrderPayload,
  nftOrderHash,
  nftTradeHash,
  requestHash,
  requestMessage,
} from '../../../src/protocol/index.ts';
import { checkEddsa } from './eddsaPart.ts';
import type { VectorCheck } from './findings.ts';
import { hex64 } from './hex.ts';
import { type HttpPart, signedRequestOf } from './httpPart.ts';

type SignedOrder = NftOrderPayload & { eddsaSignature: string };

interface Vector {
  makerPrivateKey: string;
  takerPrivateKey: string;
  submitterPrivateKey?: string;
  request: { maker: SignedOrder; taker: SignedOrder };
  tradeHash: string;
  http?: HttpPart;
  apiSigMessage?: string;
}

/** Both orders, the trade hash, and the request signature where the vector has the request. */
export const nftTrade: VectorCheck<Vector> = (vector, findings) => {
  const { maker, taker } = vector.request;
  findings.equal('tradeHash', hex64(nftTradeHash({ maker, taker })), vector.tradeHash);
  for (const [field, order, privateKey] of [
    ['request.maker.eddsaSignature', maker, vector.makerPrivateKey],
    ['request.taker.eddsaSignature', taker, vector.takerPrivateKey],
  ] as const) {
    checkEddsa(findings, field, { privateKey, message: nftOrderHash(order), signature: order.eddsaSignature });
  }
  const { http, submitterPrivateKey } = vector;
  if (!http) return;
  findings.equal('http.body', bodyText(vector.request), http.body);
  const message = requestMessage(signedRequestOf(http));
  findings.equal('apiSigMessage', message, vector.apiSigMessage);
  checkEddsa(findings, 'http.headers.X-API-SIG', {
    privateKey: submitterPrivateKey ?? '',
    message: requestHash(message),
    signature: http.headers['X-API-SIG'] ?? '',
  });
};
