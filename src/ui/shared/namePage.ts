/** Names the page in its tab and for readers. */
export function namePage(title: string): void {
  document.title = `${title} · Countersign`;
}
