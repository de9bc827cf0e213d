import { z } from 'zod';

/**
 * The value of a flag or variable, as its schema takes it: integers as numbers, everything else as
 * text. `Number` alone makes 0 of nothing, which is a log of a transaction and a fee rate too.
 * @throws {Error} It is empty, or an integer that is not written in digits alone.
 */
export function flagValue(name: string, text: string, schema: z.core.$ZodType): string | number {
  if (text === '') throw new Error(`${name} is empty`);
  const { type } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  if (type !== 'integer') return text;
  if (!/^\d+$/.test(text)) throw new Error(`${name}: "${text}" is not an integer`);
  return Number(text);
}
