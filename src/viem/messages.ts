import type { Hex } from 'viem';
import type { SubmissionStatus } from './submission.ts';

/** Messages in the event `message` of a relayer wallet's provider. */
export type RelayerMessage =
  | {
      /** One of the site's own requests has come further. */
      readonly type: 'relayer_status';
      readonly data: {
        /** As in the request's result. */
        readonly requestId: string;
        /** Hash that was signed. */
        readonly hash: Hex | null;
        readonly status: SubmissionStatus;
        /** Until when the relayer can still carry it out, as `OwnRequest` has it. */
        readonly validUntil?: number;
      };
    }
  | {
      /** The wallet was locked or unlocked; only connected sites hear it. */
      readonly type: 'relayer_lock';
      readonly data: { readonly locked: boolean };
    }
  | {
      /** A standing approval answers nothing any more. */
      readonly type: 'relayer_standingApproval';
      readonly data: {
        readonly id: string;
        readonly status: 'ended';
        readonly reason: 'user' | 'site' | 'lock' | 'key' | 'permission' | 'account' | 'expired';
      };
    }
  | {
      /** Message of a subscription of the page, see `watchTopic`. */
      readonly type: 'relayer_subscription';
      readonly data: { readonly subscription: string } & (
        | {
            /** The relayer begins to tell, at first or after a gap. */
            readonly began: true;
          }
        | { readonly result: TopicUpdate }
        | {
            /** It has ended. */
            readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
          }
      );
    };

/** One notification of the relayer, in the form that its documents give for the topic. */
export interface TopicUpdate {
  /** Unix ms of the relayer. */
  readonly ts: number;
  /** Of books: the first and the last version that it covers. */
  readonly startVersion?: number | undefined;
  readonly endVersion?: number | undefined;
  readonly data: unknown;
}

const types: ReadonlySet<string> = new Set<RelayerMessage['type']>([
  'relayer_status',
  'relayer_lock',
  'relayer_standingApproval',
  'relayer_subscription',
]);

/**
 * Tells what a relayer wallet sends from the `message` events of others.
 * @example
 * provider.on('message', (message) => {
 *   if (isRelayerMessage(message) && message.type === 'relayer_lock') setLocked(message.data.locked);
 * });
 */
export const isRelayerMessage = (message: {
  readonly type: string;
  readonly data: unknown;
}): message is RelayerMessage => types.has(message.type);
