/** Types of `reachedTests.mjs`, which `npm run check` runs without a loader. */
export declare const noUnitTests: readonly string[];
export declare function git(args: readonly string[], cwd?: string): string[];
export declare function modulesOf(folder: string): string[];
export declare function importersOf(files: Iterable<string>): Map<string, string[]>;
export declare function reachedTests(
  changed: Iterable<string>,
  importers: ReadonlyMap<string, readonly string[]>,
): string[];
