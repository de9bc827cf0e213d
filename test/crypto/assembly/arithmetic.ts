/**
 * The inner parts of the fast core for tests: functions take addresses, room for values is at
 * BUFFER.
 */
export const BUFFER: usize = memory.data(65536, 16);
export {
  add,
  carry,
  fromBytes,
  invert,
  isZero,
  mul,
  negate,
  reduceColumns,
  square,
  subtract,
  subtractOnce,
  toBytes,
} from '../../../src/crypto/wasm/assembly/field';
export { multiplyBase, WINDOW, WINDOWS } from '../../../src/crypto/wasm/assembly/fixedBase';
export { allocate } from '../../../src/crypto/wasm/assembly/memory';
export { equalsAffine, scaleX, setCurve } from '../../../src/crypto/wasm/assembly/point';
export {
  buildTable,
  differenceFromMultiples,
  differenceFromTables,
  oddMultiples,
  tableSize,
  vanishesTimes,
} from '../../../src/crypto/wasm/assembly/publicMultiply';
export { multiplyAdd, reducePublic, reduceWide, scalarFromBytes } from '../../../src/crypto/wasm/assembly/scalar';
export { addProducts, beginSum, endSum, expand, GROUP } from '../../../src/crypto/wasm/assembly/sumOfProducts';
