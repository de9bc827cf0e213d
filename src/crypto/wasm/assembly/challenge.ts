import { ELEMENT, toInteger } from './field';
import { lane, permute } from './poseidon';

/** Inputs of the challenge hash, in a row. */
const hashed = memory.data(180, 16);
export const rx: usize = hashed;
export const ry: usize = hashed + ELEMENT;
export const ax: usize = hashed + 2 * ELEMENT;
export const ay: usize = hashed + 3 * ELEMENT;
export const message: usize = hashed + 4 * ELEMENT;

/** `out` = the integer of Poseidon(R.x, R.y, A.x, A.y, m) at t = 6. */
export function computeChallenge(out: usize): void {
  for (let i: usize = 0; i < 5; i++) memory.copy(lane(i), hashed + i * ELEMENT, ELEMENT);
  memory.fill(lane(5), 0, ELEMENT);
  permute(out, 6);
  toInteger(out, out);
}
