import { formatUnits } from 'viem';
import { isFinalStatus, type SubmissionStatus } from '../../viem/index.ts';
import { byId, make } from './elements.ts';
import { tokenById } from './tokens.ts';
import type { OrderIntent } from './wallet.ts';

/**
 * An order that this page placed, kept in the page's own storage so that a reload still shows it.
 */
export interface PlacedOrder {
  readonly hash: string;
  /** The wallet's number of the request; its `message` events name it. */
  readonly requestId: string;
  readonly owner: string;
  readonly sell: OrderIntent['sellToken'];
  readonly buy: OrderIntent['buyToken'];
  readonly status: string;
}

const storageKey = 'placed-orders';

function placedOrders(): readonly PlacedOrder[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? (stored as readonly PlacedOrder[]) : [];
  } catch {
    return [];
  }
}

function keep(orders: readonly PlacedOrder[]): void {
  localStorage.setItem(storageKey, JSON.stringify(orders.slice(0, 50)));
}

export function addOrder(order: PlacedOrder): void {
  keep([order, ...placedOrders().filter(({ hash }) => hash !== order.hash)]);
}

/** @returns whether the order's status is another one now. */
export function setStatus(key: { readonly hash: string } | { readonly requestId: string }, status: string): boolean {
  const isMeant = (order: PlacedOrder) => ('hash' in key ? order.hash === key.hash : order.requestId === key.requestId);
  const orders = placedOrders();
  if (!orders.some((order) => isMeant(order) && order.status !== status)) return false;
  keep(orders.map((order) => (isMeant(order) ? { ...order, status } : order)));
  return true;
}

const words = ({ tokenId, volume }: OrderIntent['sellToken']) => {
  const { decimals, symbol } = tokenById(tokenId);
  return `${formatUnits(BigInt(volume), decimals)} ${symbol}`;
};

/** Draws the orders of one account. */
export function drawOrders(owner: string | null, cancel: (hash: string) => void): void {
  const own = placedOrders().filter((order) => owner !== null && order.owner.toLowerCase() === owner.toLowerCase());
  byId('no-orders').hidden = own.length > 0;
  byId('orders').replaceChildren(
    ...own.map((order) => {
      const button = make('button', { type: 'button', class: 'quiet', 'data-testid': 'cancel-order' }, 'Cancel');
      button.addEventListener('click', () => cancel(order.hash));
      const row = make(
        'li',
        { 'data-testid': 'order', 'data-hash': order.hash, 'data-status': order.status },
        make('span', { class: 'deal' }, `${words(order.sell)} → ${words(order.buy)}`),
        make('code', { title: order.hash }, `${order.hash.slice(0, 10)}…${order.hash.slice(-6)}`),
        make('span', { class: 'status', 'data-testid': 'order-status' }, order.status),
      );
      if (!isFinalStatus(order.status as SubmissionStatus)) row.append(button);
      return row;
    }),
  );
}
