import { type ComponentChild, render } from 'preact';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { PopupApp } from '../../../src/ui/popup/PopupApp.tsx';
import { type FakeBackground, type Handlers, installBackground, useLanguage } from './fakeBackground.ts';
import * as f from './fixtures.ts';
import { settled as drawn } from './settled.ts';

/** The element that the page of the present test is drawn in. */
export let root: HTMLElement;
/** The background that the page of the present test talks to. */
export let background: FakeBackground;

/**
 * Gives each test of a file an empty English page with empty storage, and takes the page down after
 * it.
 */
export function emptyPages(): void {
  beforeEach(() => {
    useLanguage('en');
    localStorage.clear();
    sessionStorage.clear();
    location.hash = '';
    root = document.createElement('div');
    document.body.append(root);
  });
  afterEach(async () => {
    render(null, root);
    await settled();
    root.remove();
    vi.restoreAllMocks();
  });
}

/** Draws a page over a background that answers with `handlers`. */
export async function draw(page: ComponentChild, handlers: Handlers): Promise<void> {
  background = installBackground(handlers);
  render(page, root);
  await settled();
}

/**
 * Opens the popup at a place; `shown` is a text of a screen whose code is loaded only when it is
 * opened.
 */
export async function openPopup(place: string, handlers: Handlers, shown?: string): Promise<void> {
  location.hash = place;
  await draw(<PopupApp />, { getState: () => f.wallet, touch: () => null, getHome: () => f.home, ...handlers });
  if (shown === undefined) return;
  await vi.waitFor(() => expect(text()).toContain(shown), { timeout: 240_000 });
  await settled();
}

export const settled = (): Promise<void> => drawn(root);
export const text = (): string => root.textContent ?? '';
export const all = (selector: string): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(selector)];
export function find(selector: string): HTMLElement {
  const [found] = all(selector);
  if (found === undefined) throw new Error(`no ${selector} in: ${text()}`);
  return found;
}

export async function enter(field: Element | null | undefined, value: string): Promise<void> {
  if (!field) throw new Error(`no field for ${value} in: ${text()}`);
  (field as HTMLInputElement).value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await settled();
}

export async function submit(): Promise<void> {
  find('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  await settled();
}

export async function press(element: HTMLElement | undefined): Promise<void> {
  element?.click();
  await settled();
}

/** Enters an amount into the amount field of that number on the page. */
export const enterAmount = (index: number, value: string): Promise<void> => enter(all('.amount-input')[index], value);
/** What stands in the amount fields. */
export const amounts = (): string[] => all('.amount-input').map((input) => (input as HTMLInputElement).value);
export const problems = (): (string | null)[] => all('.field-error').map(({ textContent }) => textContent);
/** The operations that the page asked the background to start. */
export const started = (): readonly unknown[] => background.callsOf('startOperation');
