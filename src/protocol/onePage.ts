import { described } from './described.ts';
import { doc } from './doc.ts';
import { totalNum } from './resources.ts';
import { z } from './zod.ts';

/** The answer of a history whose rows travel under `name`. */
export const onePage = <Name extends string, Row extends z.ZodMiniType>(name: Name, row: Row) =>
  z.looseObject({
    totalNum: totalNum(),
    ...({ [name]: described(z.array(row), doc?.('One page of rows')) } as Record<Name, z.ZodMiniArray<Row>>),
  });
