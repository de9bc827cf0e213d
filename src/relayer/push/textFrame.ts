const FINAL_TEXT = 0x81;
/** Lengths up to 125 stand in the second byte; 126 announces two bytes of length, 127 eight. */
const SHORT = 125;
const TWO_BYTES = 65_535;

/**
 * A text message as one frame of a server: final, not masked, not compressed. It is the same for
 * every client.
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.2
 */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const head = Buffer.alloc(length <= SHORT ? 2 : length <= TWO_BYTES ? 4 : 10);
  head[0] = FINAL_TEXT;
  if (length <= SHORT) head[1] = length;
  else if (length <= TWO_BYTES) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}
