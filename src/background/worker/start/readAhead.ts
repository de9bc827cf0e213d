import { metElsewhere } from '../../../report/report.ts';
import type { Ports } from '../../ports.ts';
import { BASIC_KEYS, START_KEYS } from '../../settings/storedKeys.ts';

/**
 * Starts the reads that nearly everything needs, and opens the databases, while the full background
 * is being loaded. Failures are reported where the values are awaited.
 */
export function readAhead({ local, copy, requestStore, journalStore, vaultStore }: Ports): void {
  for (const key of [...BASIC_KEYS, ...START_KEYS]) local.get(key).catch(metElsewhere);
  for (const key of BASIC_KEYS) copy.get(key).catch(metElsewhere);
  for (const store of [requestStore, journalStore, vaultStore]) store('readonly', async () => {}).catch(metElsewhere);
}
