import type { EndpointAnswer, EndpointBody, EndpointName, EndpointQuery, RelayerErrorName } from '../protocol/index.ts';

export interface ReadInput<N extends EndpointName> {
  readonly query?: EndpointQuery<N>;
  readonly body?: EndpointBody<N>;
}

/**
 * Requests to the account's relayer that change nothing there. The API key is added where the
 * endpoint wants one.
 */
export interface Reads {
  /** Unix seconds of this machine. */
  readonly now: number;
  /**
   * @throws the client's error when the relayer refuses or cannot be used; an Error for endpoints
   *   that change something.
   */
  read<N extends EndpointName>(name: N, input: ReadInput<N>): Promise<EndpointAnswer<N>>;
  /**
   * `null` when the relayer refuses with one of `refusals`, which stand for "there is no such
   * thing".
   */
  find<N extends EndpointName>(
    name: N,
    input: ReadInput<N>,
    refusals: readonly RelayerErrorName[],
  ): Promise<EndpointAnswer<N> | null>;
}
