import { useEffect } from 'preact/hooks';

const controls = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), summary';

/** Where the focus goes when a node with it was removed from a list or from one of its entries. */
function inList({ target, nextSibling, previousSibling }: MutationRecord, removed: Node): HTMLElement | null {
  const isEntry = removed instanceof Element && removed.localName === 'li';
  const entries = isEntry ? [nextSibling, previousSibling] : [(target as Element).closest('li')];
  for (const entry of entries) {
    const control = entry instanceof Element ? entry.querySelector<HTMLElement>(controls) : null;
    if (control !== null) return control;
  }
  return null;
}

/**
 * Keeps the focus in its place when what has it goes, such as a removed entry of a list: at the
 * next entry, else at the one before, else at the heading. The browser would begin at the top.
 */
export function useKeptFocus(element: HTMLElement | null): void {
  useEffect(() => {
    if (element === null) return;
    let focused: Node | null = null;
    const remember = ({ target }: FocusEvent) => {
      focused = target as Node;
    };
    const observer = new MutationObserver((records) => {
      const gone = focused;
      if (gone === null || gone.isConnected || document.activeElement !== document.body) return;
      focused = null;
      for (const record of records)
        for (const removed of record.removedNodes)
          if (removed.contains(gone))
            (inList(record, removed) ?? element.querySelector('h1'))?.focus({ preventScroll: true });
    });
    element.addEventListener('focusin', remember);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [element]);
}
