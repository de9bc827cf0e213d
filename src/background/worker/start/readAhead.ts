import { metElsewhere } from '../../../report/report.ts';
import type { Ports } from '../../ports.ts';
import { BASIC_KEYS } from '../../settings/storedKeys.ts';

/**
 * Nearly everything begins with these reads, and with the databases open; they are on their way while the full background is loaded.
 * Who needs them meets their failures.
 */
export function readAhead({ local, copy, requestStore, journalStore, vaultStore }: Ports): void {
  for (const area of [local, copy]) for (const key of BASIC_KEYS) area.get(key).catch(metElsewhere);
  for (const store of [requestStore, journalStore, vaultStore]) store('readonly', async () => {}).catch(metElsewhere);
}
