import { sha256 } from '@noble/hashes/sha2.js';
import {
  acceptedRequestMessages,
  bodyText,
  requestHash,
  requestMessage,
  type SignedRequest,
} from '../../../src/protocol/index.ts';
import { checkEddsa } from './eddsaPart.ts';
import type { VectorCheck } from './findings.ts';
import { hex64 } from './hex.ts';

type Parameters = Record<string, string | number | boolean | undefined>;

interface Request {
  eddsaPrivateKey: string;
  method: SignedRequest['method'];
  baseUrl: string;
  path: string;
  params: Parameters;
}

interface Vector extends Request {
  parameterString?: string;
  body?: string;
  message: string;
  sha256: string;
  hash: string;
  apiSig: string;
}

const withQuery = ({ method, baseUrl, path, params }: Request): SignedRequest => ({
  method,
  baseUrl,
  path,
  query: params,
});

export const apiSig: VectorCheck<Vector> = (vector, findings) => {
  const { method, baseUrl, path, params } = vector;
  const inBody = method === 'POST' || method === 'PUT';
  const text = bodyText(params);
  const message = requestMessage(inBody ? { method, baseUrl, path, bodyText: text } : withQuery(vector));
  if (inBody) findings.equal('body', text, vector.body);
  else findings.equal('parameterString', decodeURIComponent(message.split('&')[2] ?? ''), vector.parameterString);
  findings.equal('message', message, vector.message);
  findings.equal('sha256', Buffer.from(sha256(new TextEncoder().encode(message))).toString('hex'), vector.sha256);
  findings.equal('hash', hex64(requestHash(message)), vector.hash);
  checkEddsa(findings, 'apiSig', {
    privateKey: vector.eddsaPrivateKey,
    message: requestHash(message),
    signature: vector.apiSig,
  });
};

interface Side {
  message: string;
  hash: string;
  apiSig: string;
}

/**
 * Where encodings differ we sign the documented form; a relayer of ours accepts the reference
 * client's as well.
 */
export const apiSigQueryDivergence: VectorCheck<Request & { sdk: Side; documented: Side; agree: boolean }> = (
  vector,
  findings,
) => {
  const { documented, sdk } = vector;
  const request = withQuery(vector);
  findings.equal('documented.message', requestMessage(request), documented.message);
  findings.holds('sdk.message', acceptedRequestMessages(request).includes(sdk.message), 'is not accepted');
  for (const [name, side] of Object.entries({ documented, sdk })) {
    const message = requestHash(side.message);
    findings.equal(`${name}.hash`, hex64(message), side.hash);
    checkEddsa(findings, `${name}.apiSig`, {
      privateKey: vector.eddsaPrivateKey,
      message,
      signature: side.apiSig,
    });
  }
  findings.equal('agree', documented.message === sdk.message, vector.agree);
};
