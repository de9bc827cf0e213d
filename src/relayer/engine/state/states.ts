import { createMutex } from '../../mutex.ts';
import { thread } from '../thread.ts';
import { BlockStates, type RootedBlock, type SealedBlock } from './blockStates.ts';

/** What can be asked of a state, here or in a thread. */
const calls = {
  blockId: (states: BlockStates) => states.blockId,
  follow: (states: BlockStates, blocks: readonly RootedBlock[], keepFrom?: number) => states.follow(blocks, keepFrom),
  seal: (states: BlockStates, block: SealedBlock) => states.seal(block),
  prove: (states: BlockStates, accountId: number, tokenId: number, blockId?: number) =>
    states.prove(accountId, tokenId, blockId),
  /** Writes the state into a file, whole or not at all. */
  snapshot: (states: BlockStates, path: string) => states.snapshot(path),
  /** Goes on from such a file, whose state has to have the root. */
  load: (states: BlockStates, path: string, root: string) => states.load(path, root),
};

type Calls = typeof calls;
type Asking<Call> = Call extends (states: BlockStates, ...args: infer Args) => infer Answer
  ? (...args: Args) => Promise<Awaited<Answer>>
  : never;

/** `BlockStates`, here or in a thread. One call at a time, in their order. */
export type States = { readonly [Name in keyof Calls]: Asking<Calls[Name]> } & { close(): Promise<void> };

export interface StatesCall {
  readonly call: keyof Calls;
  readonly args: readonly unknown[];
}

export type StatesAnswer = { readonly result: unknown } | { readonly error: string };

/** Carries a call out; what it throws becomes text, because it may cross a thread. */
export async function answerCall(states: BlockStates, { call, args }: StatesCall): Promise<StatesAnswer> {
  try {
    return {
      result: await (calls[call] as (states: BlockStates, ...args: readonly unknown[]) => unknown)(states, ...args),
    };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** @param inThread - Off the event loop; a thread takes half a second and 60 MB to start. */
export function openStates(inThread: boolean): States {
  const { ask, close } = inThread ? stateThread() : here();
  const asking = (call: keyof Calls) => [call, (...args: readonly unknown[]) => ask({ call, args })];
  return { ...Object.fromEntries((Object.keys(calls) as (keyof Calls)[]).map(asking)), close } as States;
}

interface Asked {
  ask(call: StatesCall): Promise<unknown>;
  close(): Promise<void>;
}

function resultOf(answer: StatesAnswer): unknown {
  if ('error' in answer) throw new Error(answer.error);
  return answer.result;
}

function here(): Asked {
  const states = new BlockStates();
  return { ask: async (call) => resultOf(await answerCall(states, call)), close: async () => {} };
}

/**
 * A thread that ended by itself is replaced; the new one begins at genesis and is given the blocks
 * again.
 */
function stateThread(): Asked {
  const { ask, close } = thread<StatesCall, StatesAnswer>(
    new URL('./stateThreadStart.mjs', import.meta.url),
    'the thread of the state',
  );
  const inTurn = createMutex();
  return { ask: (call) => inTurn(async () => resultOf(await ask(call))), close };
}
