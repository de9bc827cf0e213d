import { RelayerClientError } from '../../client/index.ts';

/**
 * `null` where the relayer answered and has no such thing. A relayer that does not answer at all is
 * a failure.
 */
export async function told<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    const hasAnswered =
      error instanceof RelayerClientError && (error.kind === 'refused' || error.kind === 'off-schema');
    if (hasAnswered) return null;
    throw error;
  }
}
