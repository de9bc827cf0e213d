import { mdsMatrix, roundConstants, roundCounts } from '../poseidonReference.ts';
import type { VectorCheck } from './findings.ts';

interface Vector {
  t: number;
  fullRounds: number;
  partialRounds: number;
  roundConstantCount: number;
  roundConstantFirst: string;
  roundConstantSecond: string;
  roundConstantLast: string;
  matrixTopLeft: string;
  matrixTopRight: string;
  matrixBottomLeft: string;
  matrixBottomRight: string;
}

/**
 * The definition in `poseidonReference`; `test/crypto/poseidonTables.test.ts` ties the shipped
 * tables to it.
 */
export const poseidonConstants: VectorCheck<Vector> = (vector, findings) => {
  const { full, partial } = roundCounts(vector.t);
  findings.equal('fullRounds', full, vector.fullRounds);
  findings.equal('partialRounds', partial, vector.partialRounds);
  const constants = roundConstants(vector.t);
  findings.equal('roundConstantCount', constants.length, vector.roundConstantCount);
  findings.equal('roundConstantFirst', constants[0], vector.roundConstantFirst);
  findings.equal('roundConstantSecond', constants[1], vector.roundConstantSecond);
  findings.equal('roundConstantLast', constants.at(-1), vector.roundConstantLast);
  const matrix = mdsMatrix(vector.t);
  findings.equal('matrixTopLeft', matrix.at(0)?.at(0), vector.matrixTopLeft);
  findings.equal('matrixTopRight', matrix.at(0)?.at(-1), vector.matrixTopRight);
  findings.equal('matrixBottomLeft', matrix.at(-1)?.at(0), vector.matrixBottomLeft);
  findings.equal('matrixBottomRight', matrix.at(-1)?.at(-1), vector.matrixBottomRight);
};
