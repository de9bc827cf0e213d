import { createRelayerClient, type RelayerClient, RelayerClientError } from '../../client/index.ts';
import { SYMBOL_LIMIT } from '../../messaging/symbolLimit.ts';
import type { DescribedToken, NetworkView, TokenChange } from '../../messaging/views.ts';
import type { FeeList } from '../../operations/feeBounds.ts';
import type { Pool } from '../../operations/pool.ts';
import type { TokenFacts } from '../../operations/review.ts';
import { listedSymbol, numbered } from '../../operations/tokenSymbol.ts';
import {
  type EndpointAnswer,
  type EndpointName,
  feeRequestTypes,
  type RelayerErrorName,
} from '../../protocol/index.ts';
import { once } from '../../protocol/once.ts';
import { foldAlike, plainLetter } from '../../protocol/plainLetter.ts';
import { z } from '../../protocol/zod.ts';
import { entry, type Form } from '../../storage/entry.ts';
import { isRecord } from '../../storage/lenient.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import type { Ports } from '../ports.ts';
import { exchangeId } from '../settings/exchangeId.ts';
import { ageAt } from './age.ts';
import { readFeePins } from './feePins.ts';
import { tokenForm } from './tokenForm.ts';
import {
  comparePins,
  isSameToken,
  pinAccepted,
  poolFacts,
  poolForm,
  readPins,
  storedPins,
  type TokenPins,
  withPools,
} from './tokenPins.ts';

type Token = EndpointAnswer<'getTokens'>[number];
type Market = EndpointAnswer<'getMarkets'>['markets'][number];

interface NetworkFacts {
  /** Unix milliseconds of the reading. */
  readonly at: number;
  /** Each as it is pinned, whatever the relayer says of it now. */
  readonly tokens: readonly Token[];
  readonly markets: readonly Market[];
  /**
   * Tokens that the relayer describes otherwise than they are pinned: nothing is signed with them.
   */
  readonly changes: readonly TokenChange[];
}

/** Of tokens and markets the relayer's own schema read the rest when they were stored. */
const storedForm = once((): Form<NetworkFacts> => {
  const token = z.custom<Token>((stored) => tokenForm().safeParse(stored).success);
  const market = z.custom<Market>((stored) => isRecord(stored) && typeof stored.market === 'string');
  const described = z.extend(tokenForm(), { pool: z.optional(poolForm()) });
  const change = z.object({ before: described, now: described });
  return z.object({
    at: z.number(),
    tokens: z.array(token),
    markets: z.array(market),
    changes: z._default(z.array(change), []),
  });
});

/** Fee and minimum data move every 15 minutes; listings move less, so they share that age. */
export const FACTS_MAX_AGE_MS = 15 * 60_000;

export type Exchange = Pick<NetworkView, 'chainId' | 'exchangeAddress'>;

export const pinsKey = (exchange: Exchange): string => `pins:${exchangeId(exchange)}`;
export const feesKey = (exchange: Exchange): string => `fees:${exchangeId(exchange)}`;

/** True in the build that tests of dApps drive. */
declare const __AUTOMATION__: boolean;

/** Chain of relayers for development. */
const DEVELOPMENT_CHAIN = 31_337;

/** The build for tests has keys that nobody guards. @throws {UiFailure} `not-development` */
export function refuseRealExchange(chainId: number): void {
  if (typeof __AUTOMATION__ === 'undefined' || !__AUTOMATION__ || chainId === DEVELOPMENT_CHAIN) return;
  throw new UiFailure('not-development', 'error_notDevelopment');
}

/** @throws {UiFailure} `exchange-changed`, `not-development` */
export function refuseOther(pinned: Exchange, reported: Exchange): void {
  refuseRealExchange(reported.chainId);
  if (exchangeId(reported) === exchangeId(pinned)) return;
  throw new UiFailure('exchange-changed', 'error_exchangeChanged', {
    pinned: `${pinned.exchangeAddress} (${pinned.chainId})`,
    reported: `${reported.exchangeAddress} (${reported.chainId})`,
  });
}

/** Name in the exchange info of each kind of fee that it lists. */
const feeLists = {
  [feeRequestTypes.WITHDRAWAL]: 'withdrawalFees',
  [feeRequestTypes.ACCOUNT_UPDATE]: 'updateFees',
  [feeRequestTypes.TRANSFER]: 'transferFees',
  [feeRequestTypes.FAST_WITHDRAWAL]: 'fastWithdrawalFees',
  [feeRequestTypes.OPEN_ACCOUNT]: 'openAccountFees',
  [feeRequestTypes.AMM_EXIT]: 'ammExitFees',
} as const;

function feeListOf(info: EndpointAnswer<'getExchangeInfo'>, tokens: readonly Token[]): FeeList {
  const byToken = (list: (typeof feeLists)[keyof typeof feeLists]) =>
    Object.fromEntries(
      (info[list] ?? []).flatMap(({ token: symbol, fee }) => {
        const token = tokens.find((candidate) => listedSymbol(candidate) === symbol);
        return token ? [[token.tokenId, fee] as const] : [];
      }),
    );
  return Object.fromEntries(Object.entries(feeLists).map(([kind, list]) => [kind, byToken(list)]));
}

/**
 * Characters of a symbol or a name in the sentence of a refusal, so that decimals and address stay
 * in sight.
 */
const NAME_LIMIT = 40;

const described = ({ symbol, name, decimals, address, pool }: DescribedToken): string =>
  [
    symbol.slice(0, NAME_LIMIT),
    name.slice(0, NAME_LIMIT),
    decimals,
    address,
    ...(pool ? [pool.name.slice(0, NAME_LIMIT), pool.pooled.map((id) => `#${id}`).join(' '), pool.address] : []),
  ].join(' · ');

const refuseChanged = ({ before, now }: TokenChange): never => {
  throw new UiFailure('token-changed', 'error_tokenChanged', {
    token: `#${before.tokenId} ${before.symbol.slice(0, NAME_LIMIT)}`,
    before: described(before),
    now: described(now),
  });
};

/**
 * What a hasty reader sees of a symbol: letters and digits, by what they look like, of the part
 * that is drawn.
 */
const look = (symbol: string) => {
  const drawn = [...symbol].slice(0, SYMBOL_LIMIT).join('').normalize('NFKD').replaceAll('|', 'l');
  return foldAlike([...drawn.replace(/[^\p{L}\p{N}]/gu, '')].map(plainLetter).join(''));
};

/**
 * The tokens, each whose symbol looks like that of another by its number as well: a false `USDC` is
 * seen, also where the relayer lists the real one no longer.
 */
function toldApart(tokens: readonly Token[], pins: TokenPins): Token[] {
  const counts = new Map<string, number>();
  for (const { symbol } of pins.values()) counts.set(look(symbol), (counts.get(look(symbol)) ?? 0) + 1);
  return tokens.map((token) => (counts.get(look(token.symbol)) === 1 ? token : numbered(token)));
}

/**
 * One client for each base URL, kept while the worker lives, and public facts of networks. Facts
 * are kept in `local`, so that a cold worker answers without the relayer; the exchange address, the
 * chain and every token's address, symbol, name, decimals and pool are pinned at first sight.
 * Tokens and fees are pinned for the exchange and not for a URL of it: a signature names token
 * numbers of the contract.
 */
export function createRelayers(ports: Pick<Ports, 'fetch' | 'local' | 'now' | 'lock' | 'timer'>) {
  const clients = new Map<string, RelayerClient>();
  const answers = new Map<string, { readonly at: number; readonly value: Promise<unknown> }>();
  /** By network: several parts of a screen ask for facts that are too old at once. */
  const reading = new Map<string, Promise<NetworkFacts>>();
  const kept = entry(ports, 'local', 'facts:', storedForm);
  const checkKey = (networkId: string) => `check ${networkId}`;

  function client({ baseUrl }: Pick<NetworkView, 'baseUrl'>): RelayerClient {
    let built = clients.get(baseUrl);
    if (!built) {
      built = createRelayerClient({ baseUrl, fetch: ports.fetch, ...ports.timer });
      clients.set(baseUrl, built);
    }
    return built;
  }

  /**
   * @param options - `anew`: asks the relayer, however fresh the last comparison is; `reported`:
   *   what it has just said.
   * @throws {UiFailure} `exchange-changed` when the relayer reports another exchange or chain than
   *   the pinned one.
   */
  function checkExchange(
    network: NetworkView,
    { anew = false, reported: given }: { readonly anew?: boolean; readonly reported?: Exchange } = {},
  ): Promise<void> {
    if (anew || given) answers.delete(checkKey(network.id));
    return remembered(checkKey(network.id), FACTS_MAX_AGE_MS, async () => {
      const reported = given ?? (await client(network).getExchangeInfo({}));
      // Too old to be used, so that the next use asks again; symbols and changes stay known.
      const stored = exchangeId(reported) === exchangeId(network) ? undefined : await kept.read(network.id);
      if (stored) await kept.write({ ...stored, at: 0 }, network.id);
      refuseOther(network, reported);
    });
  }

  /** @param known - Given where the relayer's list cannot be read; what is pinned stays. */
  async function poolsOf(network: NetworkView, known: readonly Pool[]): Promise<readonly Pool[]> {
    try {
      return (await client(network).getAmmPools({})).pools;
    } catch (error) {
      if (error instanceof RelayerClientError) return known;
      throw error;
    }
  }

  /** Pins what is new. @returns The tokens that are pinned, as they are, and the changed ones. */
  async function pin(
    exchange: Exchange,
    tokens: readonly Token[],
    pools: readonly Pool[],
  ): Promise<Pick<NetworkFacts, 'tokens' | 'changes'>> {
    const key = pinsKey(exchange);
    return ports.lock(key, async () => {
      const known = readPins(await ports.local.get(key));
      const { pins, changes } = comparePins(known, withPools(tokens.map(tokenFacts), pools));
      await ports.local.set({ [key]: storedPins(pins) });
      return {
        tokens: toldApart(
          tokens
            .filter(({ tokenId }) => pins.has(tokenId))
            .map((token) => ({ ...token, ...tokenFacts(pins.get(token.tokenId) ?? token) }) as Token),
          pins,
        ),
        changes,
      };
    });
  }

  async function pinFees(network: NetworkView, tokens: readonly Token[]): Promise<FeeList> {
    const listed = feeListOf(await client(network).getExchangeInfo({}), tokens);
    await ports.local.set({ [feesKey(network)]: listed });
    return listed;
  }

  /** The exchange's fees as they were first seen: later ones are measured by them. */
  async function listedFees(network: NetworkView): Promise<FeeList> {
    const pinned = readFeePins(await ports.local.get(feesKey(network)));
    if (pinned) return pinned;
    return pinFees(network, (await facts(network)).tokens);
  }

  async function read(network: NetworkView, known: readonly Pool[] = []): Promise<NetworkFacts> {
    await checkExchange(network);
    const at = ports.now();
    const [tokens, { markets }, pools] = await Promise.all([
      client(network).getTokens({}),
      client(network).getMarkets({}),
      poolsOf(network, known),
    ]);
    // Another comparison may have found another exchange meanwhile.
    await checkExchange(network);
    const facts: NetworkFacts = { at, markets, ...(await pin(network, tokens, pools)) };
    await checkExchange(network);
    await kept.write(facts, network.id);
    if (readFeePins(await ports.local.get(feesKey(network))) === undefined) await pinFees(network, tokens);
    return facts;
  }

  async function facts(network: NetworkView): Promise<NetworkFacts> {
    const stored = await kept.read(network.id);
    if (stored && ageAt(ports.now(), stored.at) < FACTS_MAX_AGE_MS) return stored;
    const found = reading.get(network.id) ?? read(network).finally(() => reading.delete(network.id));
    reading.set(network.id, found);
    return found;
  }

  /**
   * The changes at a relayer, which is asked again while there are any: a lie is over as soon as it
   * is honest.
   */
  async function factsNow(network: NetworkView, matters: (change: TokenChange) => boolean): Promise<NetworkFacts> {
    const known = await facts(network);
    return known.changes.some(matters) ? read(network) : known;
  }

  /**
   * A token that something is signed with; `undefined` when the relayer lists none.
   * @throws {UiFailure} `token-changed` while the relayer describes it otherwise than it is pinned.
   */
  async function token(network: NetworkView, tokenId: number): Promise<Token | undefined> {
    const isAsked = ({ before }: TokenChange) => before.tokenId === tokenId;
    const { tokens, changes } = await factsNow(network, isAsked);
    const change = changes.find(isAsked);
    return change ? refuseChanged(change) : tokens.find((candidate) => candidate.tokenId === tokenId);
  }

  /**
   * Compares a pool as the relayer describes it now with the pinned one, or pins it. Says nothing
   * of an LP token that the relayer does not list: nothing is signed with such a token.
   * @throws {UiFailure} `token-changed`, of its LP token.
   */
  async function checkPool(network: NetworkView, pool: Pool): Promise<void> {
    const pinned = async () => readPins(await ports.local.get(pinsKey(network))).get(pool.tokens.lp);
    const differs = (before: DescribedToken) =>
      !before.pool || !isSameToken(before, { ...before, pool: poolFacts(pool) });
    const known = await pinned();
    if (known && !differs(known)) return;
    // Shows the change among the others, and pins a pool that is new.
    await read(network, [pool]);
    const before = await pinned();
    if (before && differs(before)) refuseChanged({ before, now: { ...before, pool: poolFacts(pool) } });
  }

  /** The tokens that something can be signed with. */
  async function unchangedTokens(network: NetworkView): Promise<readonly Token[]> {
    const { tokens, changes } = await facts(network);
    const changed = new Set(changes.map(({ before }) => before.tokenId));
    return tokens.filter(({ tokenId }) => !changed.has(tokenId));
  }

  /** The changed tokens as last read; asks nobody. */
  async function knownChanges(networkId: string): Promise<readonly TokenChange[]> {
    return (await kept.read(networkId))?.changes ?? [];
  }

  /** The changed tokens as the relayer says now, or as last read when it cannot be asked. */
  async function tokenChanges(network: NetworkView): Promise<readonly TokenChange[]> {
    const now = factsNow(network, () => true).then(({ changes }) => changes);
    return now.catch(() => knownChanges(network.id));
  }

  /**
   * Pins a changed token as the user saw it.
   * @throws {UiFailure} `token-other` when the relayer describes it otherwise by now.
   */
  async function acceptToken(network: NetworkView, shown: DescribedToken): Promise<void> {
    await checkExchange(network, { anew: true });
    const [listed, pools] = await Promise.all([client(network).getTokens({}), poolsOf(network, [])]);
    const own = listed.filter(({ tokenId }) => tokenId === shown.tokenId).map(tokenFacts);
    const reported = withPools(own, pools);
    const isShown = (now: DescribedToken) =>
      isSameToken(shown, now) && shown.name === now.name && (shown.pool === undefined) === (now.pool === undefined);
    if (reported.length === 0 || !reported.every(isShown)) throw new UiFailure('token-other', 'error_tokenOther');
    const key = pinsKey(network);
    await ports.lock(key, async () => {
      const pins = pinAccepted(readPins(await ports.local.get(key)), shown);
      await ports.local.set({ [key]: storedPins(pins) });
    });
    await read(network);
  }

  /** Symbols of a network's tokens as last read; asks nobody. */
  async function knownSymbols(networkId: string): Promise<ReadonlyMap<number, string>> {
    const stored = await kept.read(networkId);
    return new Map((stored?.tokens ?? []).map(({ tokenId, symbol }) => [tokenId, symbol]));
  }

  /** An answer that this worker has kept for at most `maxAgeMs`, or a new one. */
  async function remembered<T>(key: string, maxAgeMs: number, read: () => Promise<T>): Promise<T> {
    const known = answers.get(key);
    if (known && ageAt(ports.now(), known.at) <= maxAgeMs) return known.value as Promise<T>;
    const value = read();
    answers.set(key, { at: ports.now(), value });
    value.catch(() => answers.delete(key));
    return value;
  }

  /** Asks a network anew which exchange it leads to, should it be added again. */
  const forget = (networkId: string): void => void answers.delete(checkKey(networkId));

  return {
    client,
    facts,
    listedFees,
    token,
    checkPool,
    unchangedTokens,
    knownChanges,
    tokenChanges,
    acceptToken,
    checkExchange,
    knownSymbols,
    remembered,
    forget,
  };
}

export type Relayers = ReturnType<typeof createRelayers>;

export const tokenFacts = ({ tokenId, symbol, name, address, decimals }: TokenFacts): TokenFacts => ({
  tokenId,
  symbol,
  name,
  address,
  decimals,
});

/** An answer that has the form of the interface, and is none to what was asked. */
export const offSchema = (endpoint: EndpointName, field: string, message: string): RelayerClientError =>
  new RelayerClientError(message, { kind: 'off-schema', outcome: 'refused', endpoint, field });

/** True when the relayer answered and said no with one of these. */
export const refusedWith = (error: unknown, ...names: RelayerErrorName[]): boolean =>
  error instanceof RelayerClientError &&
  error.kind === 'refused' &&
  error.relayerName !== undefined &&
  names.includes(error.relayerName);
