import type { ParseArgsConfig, parseArgs } from 'node:util';

interface Accepted<Options extends NonNullable<ParseArgsConfig['options']>> {
  readonly options?: Options;
  readonly allowPositionals?: boolean;
}

export function readFlags<const Options extends NonNullable<ParseArgsConfig['options']> = Record<never, never>>(
  usage: string,
  accepted?: Accepted<Options>,
): Pick<ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>, 'values' | 'positionals'>;
