import type { KeyValueArea } from '../../src/storage/area.ts';
import { frozen } from '../../src/storage/area.ts';

/**
 * How a write breaks: it throws and stores nothing, stores a cut value, or stores all and throws.
 */
export type AreaFault = 'throws' | 'lies' | 'forgets-answer';

/**
 * A storage area in memory with the browser's semantics (values are copied as JSON; what is read is
 * frozen, as the product's is) and faults on demand.
 */
export function createFaultyArea() {
  const entries = new Map<string, string>();
  let failAfter: number | undefined;
  let fault: AreaFault = 'throws';
  let message = '';
  const area: KeyValueArea = {
    async get(key) {
      const text = entries.get(key);
      return text === undefined ? undefined : frozen(JSON.parse(text));
    },
    async set(values) {
      const breaks = failAfter !== undefined && failAfter-- === 0;
      if (breaks && fault === 'throws') throw new Error(message);
      for (const [key, value] of Object.entries(values)) {
        const text = JSON.stringify(value);
        entries.set(key, breaks && fault === 'lies' ? JSON.stringify(text.slice(0, text.length / 2)) : text);
      }
      if (breaks && fault === 'forgets-answer') throw new Error(message);
    },
    async remove(keys) {
      for (const key of keys) entries.delete(key);
    },
  };
  return {
    area,
    /** Key to JSON text. */
    entries,
    /** Breaks one of the next writes: 0 is the very next one. */
    failWrite(index: number, kind: AreaFault = 'throws', text = 'injected fault') {
      failAfter = index;
      fault = kind;
      message = text;
    },
    heal() {
      failAfter = undefined;
    },
    /** All that is stored, as text. */
    dump: () => [...entries].map(([key, value]) => `${key}=${value}`).join('\n'),
  };
}
