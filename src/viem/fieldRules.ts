import type { Hex } from 'viem';

/** One item or a list of them. */
export type OneOrMore<Item extends string> = Item | readonly Item[];

type Given<Fields, Name extends keyof Fields> = {
  readonly [Own in keyof Pick<Fields, Name>]-?: NonNullable<Fields[Own]>;
};

type Absent<Names extends PropertyKey> = { readonly [Name in Names]?: undefined };

/** One of the named fields is given, and no other of them. */
export type ExactlyOne<Fields, Names extends keyof Fields> = {
  [Name in Names]: Given<Fields, Name> & Absent<Exclude<Names, Name>>;
}[Names];

/** At least one of the named fields is given. */
export type AtLeastOne<Fields, Names extends keyof Fields> = { [Name in Names]: Given<Fields, Name> }[Names];

/** An order against a pool names it, and ends by what it sells; no other order names a pool. */
export type PoolWithAmmOrder =
  | { readonly orderType: 'AMM'; readonly poolAddress: Hex; readonly fillAmountBOrS?: false | undefined }
  | { readonly orderType?: 'LIMIT_ORDER' | 'TAKER_ONLY' | 'MAKER_ONLY' | undefined; readonly poolAddress?: undefined };
