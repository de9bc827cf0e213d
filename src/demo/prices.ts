/**
 * The development market's price level, in ETH for one LRC. The launcher's market maker quotes around it and the page's
 * two presets are measured against it, so that one fills at once and the other waits.
 */
export const lrcInEth = {
  /** What the market maker pays for one LRC. */
  bid: '0.000065',
  /** What the market maker asks for one LRC. */
  ask: '0.000069',
} as const;
