import { Worker } from 'node:worker_threads';
import {
  type BalanceProof,
  BlockStates,
  type ProvableBlocks,
  type RootedBlock,
  type SealedBlock,
} from './blockStates.ts';

/** `BlockStates`, here or in a thread. One call at a time, in their order. */
export interface States {
  blockId(): Promise<number | undefined>;
  follow(blocks: readonly RootedBlock[], keepFrom?: number): Promise<void>;
  seal(block: SealedBlock): Promise<RootedBlock>;
  prove(accountId: number, tokenId: number, blockId?: number): Promise<BalanceProof | ProvableBlocks>;
  /** Writes the state into a file, whole or not at all. */
  snapshot(path: string): Promise<void>;
  /** Goes on from such a file, whose state has to have the root. */
  load(path: string, root: string): Promise<void>;
  close(): Promise<void>;
}

export type StatesCall =
  | { readonly call: 'blockId' }
  | { readonly call: 'follow'; readonly blocks: readonly RootedBlock[]; readonly keepFrom: number | undefined }
  | { readonly call: 'seal'; readonly block: SealedBlock }
  | { readonly call: 'snapshot'; readonly path: string }
  | { readonly call: 'load'; readonly path: string; readonly root: string }
  | {
      readonly call: 'prove';
      readonly accountId: number;
      readonly tokenId: number;
      readonly blockId: number | undefined;
    };

export type StatesAnswer = { readonly result: unknown } | { readonly error: string };

/** Carries a call out; what it throws becomes text, because it may cross a thread. */
export async function answerCall(states: BlockStates, asked: StatesCall): Promise<StatesAnswer> {
  try {
    switch (asked.call) {
      case 'blockId':
        return { result: states.blockId };
      case 'follow':
        return { result: states.follow(asked.blocks, asked.keepFrom) };
      case 'seal':
        return { result: states.seal(asked.block) };
      case 'snapshot':
        return { result: states.snapshot(asked.path) };
      case 'load':
        return { result: await states.load(asked.path, asked.root) };
      case 'prove':
        return { result: states.prove(asked.accountId, asked.tokenId, asked.blockId) };
    }
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** @param inThread - Off the event loop; a thread takes half a second and 60 MB to start. */
export function openStates(inThread: boolean): States {
  const { ask, close } = inThread ? thread() : here();
  return {
    blockId: () => ask({ call: 'blockId' }) as Promise<number | undefined>,
    follow: (blocks, keepFrom) => ask({ call: 'follow', blocks, keepFrom }) as Promise<void>,
    seal: (block) => ask({ call: 'seal', block }) as Promise<RootedBlock>,
    snapshot: (path) => ask({ call: 'snapshot', path }) as Promise<void>,
    load: (path, root) => ask({ call: 'load', path, root }) as Promise<void>,
    prove: (accountId, tokenId, blockId) =>
      ask({ call: 'prove', accountId, tokenId, blockId }) as Promise<BalanceProof | ProvableBlocks>,
    close,
  };
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
function thread(): Asked {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const once = (call: StatesCall): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker ??= startThread();
      const asked = worker;
      const settle = (end: () => void) => {
        asked.off('message', answered).off('error', gone).off('exit', gone);
        end();
      };
      const gone = (reason: unknown) => {
        worker = undefined;
        settle(() => reject(new Error(`the thread of the state ended: ${reason}`)));
      };
      const answered = (answer: StatesAnswer) =>
        settle(() => {
          try {
            resolve(resultOf(answer));
          } catch (error) {
            reject(error);
          }
        });
      asked.on('message', answered).on('error', gone).on('exit', gone);
      // Ended since the last call: what the caller knows of the state is not true any more.
      if (asked.threadId < 0) gone('it was gone before');
      else asked.postMessage(call);
    });
  return {
    ask: (call) => {
      const next = last.then(() => once(call));
      last = next.catch(() => {});
      return next;
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}

function startThread(): Worker {
  const worker = new Worker(new URL('./stateThreadStart.mjs', import.meta.url), { execArgv: [] });
  worker.unref();
  // Between two calls nobody listens; the next one is told by the end.
  worker.on('error', () => {});
  return worker;
}
