/**
 * The development market's price level, in ETH for one LRC. The launcher's market maker quotes
 * around it and the page's two presets are measured against it, so that one fills at once and the
 * other waits. Inside the spread of the relayer's pool (15,000,000 LRC to 1,000 ETH, fee 0.2 %), so
 * that the market maker is the best offer.
 */
export const lrcInEth = {
  /** ETH that the market maker pays for one LRC. */
  bid: '0.0000666',
  /** ETH that the market maker asks for one LRC. */
  ask: '0.0000668',
} as const;
