/** Sizes that the Chrome Web Store and addons.mozilla.org ask for. */
export const SHOT = { width: 1280, height: 800 };
export const TILE = { width: 440, height: 280 };

export interface Scene {
  /** Of the picture, without its ending. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** One or two screens of `npm run screens`, in light. */
  readonly screens: readonly string[];
}

export const scenes: readonly Scene[] = [
  {
    name: '1-read-before-you-sign',
    title: 'Read before you sign',
    text: 'What you pay, what you get at least after the fee, and when it expires. The button names the act.',
    screens: ['approval-order'],
  },
  {
    name: '2-warnings-with-figures',
    title: 'Warnings that say how much',
    text: 'A bad price or a high fee is named with its figure. What costs you most needs your password.',
    screens: ['approval-order-stop'],
  },
  {
    name: '3-what-you-have',
    title: 'What you have, and how it came',
    text: 'Balances at the exchange’s own prices. Every deposit, fill and transfer, with its block.',
    screens: ['popup-home', 'popup-activity-received'],
  },
  {
    name: '4-trade',
    title: 'Trade without a web site',
    text: 'Chart, order book and your orders, with the same review before anything is signed.',
    screens: ['popup-trade', 'popup-trade-form'],
  },
  {
    name: '5-limits',
    title: 'Automatic, within your limits',
    text: 'Let a site trade up to a total, at a minimum price, until a time. A meter shows what is used; one button stops it.',
    screens: ['approval-standing', 'popup-sites-standing'],
  },
];
