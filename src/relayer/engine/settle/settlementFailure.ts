/**
 * A request that was accepted cannot be carried out any more; the message stands in its history.
 */
export class SettlementFailure extends Error {
  override readonly name: string = 'SettlementFailure';
}
