import type * as actions from './actions/index.ts';

type Actions = typeof actions;

/** Type of a value in JSON: amounts are decimal text. */
type OnTheWire<Value> = Value extends bigint
  ? never
  : Value extends object
    ? { readonly [Key in keyof Value]: OnTheWire<Value[Key]> }
    : Value;

interface Called<Name extends keyof Actions, Parameters> {
  Method: `relayer_${Name}`;
  Parameters: Parameters;
  ReturnType: Awaited<ReturnType<Actions[Name]>>;
}

/**
 * The method of an action, as viem's `rpcSchema` has it; twice when it can be called without
 * parameters.
 */
export type RpcMethod<Name extends keyof Actions> = undefined extends Parameters<Actions[Name]>[1]
  ? [Called<Name, readonly [OnTheWire<NonNullable<Parameters<Actions[Name]>[1]>>]>, Called<Name, undefined>]
  : [Called<Name, readonly [OnTheWire<NonNullable<Parameters<Actions[Name]>[1]>>]>];
