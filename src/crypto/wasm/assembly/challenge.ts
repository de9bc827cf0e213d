import { ELEMENT, toInteger } from './field';
import { lane, permute } from './poseidon';

/** `out` = the integer of Poseidon(R.x, R.y, A.x, A.y, m) at t = 6, from five elements in a row. */
export function computeChallenge(out: usize, elements: usize): void {
  for (let i: usize = 0; i < 5; i++) memory.copy(lane(i), elements + i * ELEMENT, ELEMENT);
  memory.fill(lane(5), 0, ELEMENT);
  permute(out, 6);
  toInteger(out, out);
}
