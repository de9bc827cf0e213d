import type { RelayerClient } from '../ask.ts';
import { delayOf } from '../delayOf.ts';
import { ParameterError, UnsupportedError } from '../errors.ts';
import { isAhead, isFinalStatus, type SubmissionStatus } from '../submission.ts';
import { tell } from '../tell.ts';
import { getRequest, type OwnRequest } from './requests.ts';

type Listener = (message: { readonly type: string; readonly data: unknown }) => void;

/** The part of an EIP-1193 provider that brings events. */
export interface EventSource {
  on(event: 'message', listener: Listener): unknown;
  removeListener(event: 'message', listener: Listener): unknown;
}

export interface WatchSubmissionParameters {
  /** Of a submission, or of an `OutcomeUnknownError`. */
  readonly requestId: string;
  /**
   * Called with the status as it stands, and with each one that follows.
   * @param validUntil - Unix seconds until which the relayer can still carry out what has no
   *   answer, or what it calls failed, expired or refused; else undefined.
   */
  readonly onStatus: (status: SubmissionStatus, validUntil?: number) => void;
  /** Called when a poll fails. The watch goes on, unless the site has no such request. */
  readonly onError?: ((error: Error) => void) | undefined;
  /**
   * Brings changes as soon as the wallet finds them; without it they are found by polling. viem
   * clients do not hand out their provider.
   */
  readonly provider?: EventSource | undefined;
  /** Milliseconds between polls; the client's when absent. */
  readonly pollingInterval?: number | undefined;
}

/** Between polls once the relayer's word says that it is over, which can be for weeks. */
const SELDOM_MS = 60_000;

/**
 * Follows one of the site's requests to its final status (see `isFinalStatus`), and beyond it while
 * another one can follow. Polling makes no call to the relayer: the wallet follows by itself, and
 * answers from what it knows.
 * @returns What ends the watch.
 * @example
 * const { requestId } = await client.relayer.transfer({ token, payeeAddr });
 * const unwatch = client.relayer.watchSubmission({ requestId, onStatus: (status) => show(status) });
 */
export function watchSubmission(client: RelayerClient, parameters: WatchSubmissionParameters): () => void {
  const { requestId, onStatus, onError, provider, pollingInterval = client.pollingInterval } = parameters;
  /** By which events name it; an `OutcomeUnknownError` may know the page's own id only. */
  let number = requestId;
  let last: SubmissionStatus | undefined;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    over = true;
    clearTimeout(timer);
    provider?.removeListener('message', onMessage);
  };
  const take = ({ status, validUntil }: Pick<OwnRequest, 'status' | 'validUntil'>) => {
    if (over) return;
    if (isFinalStatus(status) && !isAhead(validUntil)) stop();
    if (status === last) return;
    last = status;
    void tell(onStatus, status, validUntil);
  };
  const onMessage: Listener = ({ type, data }) => {
    if (type === 'relayer_status' && (data as OwnRequest | null)?.requestId === number) take(data as OwnRequest);
  };
  const look = async () => {
    const before = last;
    try {
      const found = await getRequest(client, { requestId });
      number = found.requestId;
      // An event that came meanwhile is newer than this answer.
      if (last === before) take(found);
    } catch (error) {
      if (over) return;
      // There is no such request, or no such method: nothing will follow.
      if (error instanceof ParameterError || error instanceof UnsupportedError) stop();
      void tell(onError, error as Error);
    }
    const waitMs = last && isFinalStatus(last) ? Math.max(pollingInterval, SELDOM_MS) : pollingInterval;
    if (!over) timer = setTimeout(look, delayOf(waitMs));
  };
  provider?.on('message', onMessage);
  void look();
  return stop;
}
