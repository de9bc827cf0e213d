/**
 * Activates the mutant before the test file is loaded. StrykerJS waits until the file has been
 * loaded where it has not asked which tests reach what, and a mutant of something that is made at
 * that time, such as a schema, would then never be active.
 *
 * Where every test counts, all that a test reaches counts as reached when the file was loaded:
 * StrykerJS notes which tests reach what in any case, and of something that is made once only the
 * first test does.
 */
import { afterAll, inject } from 'vitest';

type Reached = Record<string, number>;

interface Stryker {
  activeMutant?: string;
  readonly mutantCoverage?: { readonly static: Reached; readonly perTest: Record<string, Reached> };
}

/** What the setup of StrykerJS provides, and no type declares. */
const provided = inject as unknown as (name: string) => string;
const stryker = (globalThis as unknown as Record<string, Stryker>)[provided('globalNamespace')];

if (stryker && provided('mode') === 'mutant') stryker.activeMutant = provided('activeMutant');

if (stryker && provided('mode') === 'dry-run' && process.env.MUTANT_EVERY_TEST)
  afterAll(() => {
    const { static: always, perTest } = stryker.mutantCoverage ?? { static: {}, perTest: {} };
    for (const reached of Object.values(perTest))
      for (const [mutant, times] of Object.entries(reached)) always[mutant] = (always[mutant] ?? 0) + times;
  });
