import { Findings } from './vectorKinds/findings.ts';
import { vectorKinds, vectorLists } from './vectorKinds/index.ts';

/**
 * What checking one vector file found. `passed + failed + unread` is the number of vectors, or 1
 * when the file has none to check.
 */
export interface VectorFileResult {
  readonly kind: string;
  readonly passed: number;
  readonly failed: number;
  /** Vectors of a kind that this code cannot check: no verdict about them. */
  readonly unread: number;
  /** One line for each field that does not hold: `id: field problem`. */
  readonly failures: readonly string[];
}

/** A file that cannot be checked at all is one failure. */
const unusable = (kind: string, failure: string): VectorFileResult => ({
  kind,
  passed: 0,
  failed: 1,
  unread: 0,
  failures: [failure],
});

/**
 * Checks the text of one vector file (format: test/vectors/README.md). Nothing is skipped: an
 * unreadable file is one failure, the vectors of an unknown kind are unread, and a check that
 * throws fails its vector.
 */
export async function checkVectorFile(text: string): Promise<VectorFileResult> {
  let file: { kind?: unknown; count?: unknown; vectors?: unknown };
  try {
    file = JSON.parse(text);
  } catch (error) {
    return unusable('?', `not JSON: ${(error as Error).message}`);
  }
  const kind = String(file?.kind);
  if (Object.hasOwn(vectorLists, kind))
    try {
      file = { kind, vectors: vectorLists[kind]?.(file as never) };
    } catch (error) {
      return unusable(kind, `its vectors cannot be read: ${(error as Error).message}`);
    }
  if (!Array.isArray(file?.vectors) || file.vectors.length === 0) return unusable(kind, 'has no vectors');
  if (file.count !== undefined && file.count !== file.vectors.length)
    return unusable(kind, `count says ${file.count}, but there are ${file.vectors.length} vectors`);
  const check = Object.hasOwn(vectorKinds, kind) ? vectorKinds[kind] : undefined;
  if (!check)
    return { kind, passed: 0, failed: 0, unread: file.vectors.length, failures: [`the kind ${kind} is not known`] };

  let failed = 0;
  const failures: string[] = [];
  for (const [index, vector] of file.vectors.entries()) {
    const findings = new Findings();
    try {
      await check(vector as never, findings);
    } catch (error) {
      findings.holds('(check)', false, `threw ${error instanceof Error ? error.message : String(error)}`);
    }
    if (findings.list.length > 0) failed++;
    for (const { field, problem } of findings.list)
      failures.push(`${(vector as { id?: string } | null)?.id ?? `#${index}`}: ${field} ${problem}`);
  }
  return { kind, passed: file.vectors.length - failed, failed, unread: 0, failures };
}
