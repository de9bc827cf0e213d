import pino, { type Logger } from 'pino';
import type { RelayerConfig } from './config.ts';
import { loggedError } from './server/loggedError.ts';
import { writeToLog } from './writeToLog.ts';

/** Bytes of lines that may wait for a log that takes none; later lines are dropped. */
const LOG_WAITING = 16_000_000;

/** What a stream of pino has not written, of which `_writingBuf` comes first. */
interface Waiting {
  readonly _bufs: readonly string[];
  /** `_writingBuf` is being written. */
  readonly _writing: boolean;
  readonly _writingBuf: string;
}

/** Nothing secret reaches a log call; the redaction is the second line. */
export function createLog(config: RelayerConfig): Logger {
  // `flush` writes nothing without a `minLength`.
  const out = pino.destination({ fd: 1, sync: false, minLength: 1, maxLength: LOG_WAITING });
  // A log that cannot be written ends nothing: the next line tries again.
  out.on('error', () => {});
  // Called as the process exits. That of the stream would try for ever.
  out.flushSync = () => {
    const { _bufs, _writing, _writingBuf } = out as unknown as Waiting;
    try {
      for (const lines of _writing ? _bufs : [_writingBuf, ..._bufs]) writeToLog(lines);
    } catch {}
  };
  out.on('drop', () => out.flush());
  return pino(
    {
      level: config.logLevel,
      base: null,
      serializers: { err: loggedError },
      redact: {
        paths: ['req.headers', 'headers', '*.apiKey', '*.eddsaSignature', '*.ecdsaSignature', '*.keySeed'],
        remove: true,
      },
    },
    out,
  );
}
