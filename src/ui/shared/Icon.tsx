/**
 * Outline icons on a 20 × 20 grid, stroke 1.6, drawn for this project. Always decorative: the text
 * beside them or the label of the button speaks.
 */
const paths = {
  check: 'M4 10.5l4 4 8-9',
  cross: 'M5 5l10 10M15 5L5 15',
  copy: 'M7 7V4.5A1.5 1.5 0 0 1 8.5 3h7A1.5 1.5 0 0 1 17 4.5v7a1.5 1.5 0 0 1-1.5 1.5H13M4.5 7h7A1.5 1.5 0 0 1 13 8.5v7a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 15.5v-7A1.5 1.5 0 0 1 4.5 7z',
  down: 'M5 8l5 5 5-5',
  arrowDown: 'M10 4v12M5 11l5 5 5-5',
  lock: 'M5.5 9h9A1.5 1.5 0 0 1 16 10.5v5a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 4 15.5v-5A1.5 1.5 0 0 1 5.5 9zM7 9V6.5a3 3 0 0 1 6 0V9',
  globe: 'M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14zM3 10h14M10 3c2.2 2 3 4.4 3 7s-.8 5-3 7c-2.2-2-3-4.4-3-7s.8-5 3-7z',
  home: 'M3.5 9.5L10 4l6.5 5.5M5.5 8v8h9V8',
  list: 'M7 5.5h10M7 10h10M7 14.5h10M3.5 5.5h.01M3.5 10h.01M3.5 14.5h.01',
  settings: 'M3 6h7M14 6h3M3 14h3M10 14h7M12 4a2 2 0 1 1 0 4a2 2 0 0 1 0-4zM8 12a2 2 0 1 1 0 4a2 2 0 0 1 0-4z',
  warning: 'M10 3.5l7.5 13h-15zM10 8.5v3.5M10 14.3v.1',
  info: 'M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14zM10 9.3v4.2M10 6.5v.1',
  clock: 'M10 3a7 7 0 1 1 0 14a7 7 0 0 1 0-14zM10 6.5V10l2.5 2',
  refresh: 'M16 10a6 6 0 1 1-1.8-4.3M16.5 3v3.5H13',
  eye: 'M2.5 10S5.5 5 10 5s7.5 5 7.5 5-3 5-7.5 5-7.5-5-7.5-5zM10 7.8a2.2 2.2 0 1 1 0 4.4a2.2 2.2 0 0 1 0-4.4z',
  key: 'M16.5 6.5a3.2 3.2 0 1 1-6.4 0a3.2 3.2 0 0 1 6.4 0zM11 8.8L4 15.8M5.8 14l2 2M8.3 11.5l1.7 1.7',
  plus: 'M10 4v12M4 10h12',
  more: 'M4.6 10a.6.6 0 1 1-1.2 0a.6.6 0 0 1 1.2 0zM10.6 10a.6.6 0 1 1-1.2 0a.6.6 0 0 1 1.2 0zM16.6 10a.6.6 0 1 1-1.2 0a.6.6 0 0 1 1.2 0z',
  send: 'M5.5 14.5l9-9M7.5 5.5h7v7',
  receive: 'M14.5 5.5l-9 9M12.5 14.5h-7v-7',
  withdraw: 'M10 3v9M6 8.5l4 4 4-4M4 16.5h12',
  orders: 'M6.5 4v12M3.5 7l3-3 3 3M13.5 16V4M10.5 13l3 3 3-3',
  candles: 'M6 4v3M6 13v3M4 7h4v6H4zM14 3v2M14 12v4M12 5h4v7h-4z',
  book: 'M5.5 3.5h9a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-9a1.5 1.5 0 0 1-1.5-1.5v-10a1.5 1.5 0 0 1 1.5-1.5zM4 14.5a1.5 1.5 0 0 1 1.5-1.5h10M8 7h4',
  picture:
    'M4.5 4h11A1.5 1.5 0 0 1 17 5.5v9a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5v-9A1.5 1.5 0 0 1 4.5 4zM3.5 14l4-4 3 3 2.5-2.5 3.5 3.5M12.8 7.8h.01',
  pool: 'M10 3c3 3.6 4.5 6.2 4.5 8.5a4.5 4.5 0 0 1-9 0C5.5 9.2 7 6.6 10 3zM8 12a2 2 0 0 0 2 2',
  download: 'M10 3.5v8.5M6.5 8.5l3.5 3.5 3.5-3.5M4 14v2.5h12V14',
  search: 'M9 4a5 5 0 1 1 0 10a5 5 0 0 1 0-10zM12.8 12.8L16.5 16.5',
  back: 'M12 5l-5 5 5 5',
  forward: 'M8 5l5 5-5 5',
  panel:
    'M4.5 4h11A1.5 1.5 0 0 1 17 5.5v9a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5v-9A1.5 1.5 0 0 1 4.5 4zM12 4v12',
  users:
    'M7.5 4a2.6 2.6 0 1 1 0 5.2a2.6 2.6 0 0 1 0-5.2zM2.5 16c.3-2.8 2.2-4.5 5-4.5s4.7 1.7 5 4.5M13 4.3a2.6 2.6 0 0 1 0 4.7M14.5 11.8c1.8.6 2.8 2.1 3 4.2',
  external: 'M11 4h5v5M16 4l-7 7M14 11.5V16H4V6h4.5',
} as const;

export type IconName = keyof typeof paths;

/** Icons that show a direction of reading; they turn round with it. */
const directed: ReadonlySet<IconName> = new Set<IconName>(['back', 'forward', 'external', 'panel']);

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      class={directed.has(name) ? 'icon icon-directed' : 'icon'}
      viewBox="0 0 20 20"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}

/** The mark of the wallet: an open ring and the second signature that goes through it. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 128 128" aria-hidden="true" focusable="false">
      <rect class="mark-ground" x="2" y="2" width="124" height="124" rx="30" />
      <path class="mark-ring" d="M83.6 42.7A36 36 0 1 0 95.6 70" />
      <path class="mark-stroke" d="M45 66.5l15 15.5L104 32" />
    </svg>
  );
}
