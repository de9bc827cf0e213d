/** A request as the journal holds it: what was reviewed, what left, what came back. */
export interface SubmittedRequest {
  readonly accountId: number;
  /** Hash of the signed payload; `null` for records that have none. */
  readonly hash: string | null;
  /** The body as reviewed, without storage id and signatures. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as sent, empty before it was signed. */
  readonly signedBody: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The relayer's last answer about it, empty before the first. */
  readonly ack: Readonly<Record<string, unknown>>;
}
