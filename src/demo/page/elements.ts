/** Elements of the page by their `data-testid`, which the end-to-end tests use as well. */
export function byId<E extends HTMLElement = HTMLElement>(testId: string): E {
  const element = document.querySelector<E>(`[data-testid="${testId}"]`);
  if (!element) throw new Error(`The page has no element ${testId}`);
  return element;
}

/** Makes an element with attributes and text or children. Text is never parsed as HTML. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Shows a sentence in a `role="alert"` line, or hides the line. */
export function showProblem(testId: string, sentence: string | null): void {
  const line = byId(testId);
  line.textContent = sentence ?? '';
  line.hidden = sentence === null;
}
