import { BaseError } from 'viem';

/** Members of an error in the log. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
  /** Message of an L1 node, in its own words. */
  readonly details?: string;
  readonly stack?: string;
}

const firstLine = (text: string) => text.split('\n')[0]?.replace(/"[^"]*"|'[^']*'/g, '…') ?? '';

/**
 * The parts of an error that hold no data of a request: databases attach the statement with all its
 * parameters, and quote values in their texts.
 */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error object' };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const stack = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    message: firstLine(error.message),
    // The address of a node may hold a key.
    ...(error instanceof BaseError &&
      error.details && { details: firstLine(error.details.replace(/\w+:\/\/\S+/g, '…')) }),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(stack && { stack: stack.join('\n') }),
  };
}
