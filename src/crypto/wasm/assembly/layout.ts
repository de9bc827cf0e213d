/**
 * Values pass through one buffer, integers as 32 little-endian bytes in range (the caller checks):
 *
 *     0 A.x   32 A.y   64 message   96 R.x   128 R.y   160 S   192 secret key (32)   224 nonce digest (64)
 *     320 weight in a batch (16, and 16 zeros)   1024 the odd multiples of a key (1152)   4096 constants and inputs to be read
 */
export const BUFFER: usize = memory.data(8192, 16);
export const MESSAGE: usize = 64;
export const R: usize = 96;
export const S: usize = 160;
export const SECRET: usize = 192;
export const DIGEST: usize = 224;
export const WEIGHT: usize = 320;
export const KEY_MULTIPLES: usize = 1024;
export const BULK: usize = 4096;
