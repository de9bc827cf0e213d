import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Arming, type Hold } from './Arming.ts';
import { followPointer, restsOn } from './pointer.ts';

interface ArmedButton {
  readonly hold: Hold;
  /**
   * Handlers of the button; `decide` runs at most once a press, and only for one that began and
   * ended in one armed period.
   */
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
    readonly onKeyUp: (event: KeyboardEvent) => void;
    readonly onClick: (event: MouseEvent) => void;
  };
}

/** Waits until the browser has painted: the second frame starts after the first was drawn. */
function afterPaint(run: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(run);
  });
  return () => cancelAnimationFrame(frame);
}

/**
 * Connects `Arming` with the page.
 * @param contentKey - names everything that is decided upon; `null` while there is nothing to
 *   decide.
 * @param endSeen - the end of it was in view.
 * @param content - element whose size is watched: late text or a late font moves what is read.
 */
export function useArming(
  contentKey: string | null,
  endSeen: boolean,
  content: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  decide: () => void,
): ArmedButton {
  const [, redraw] = useState(0);
  const arming = useRef<Arming | null>(null);
  arming.current ??= new Arming(() => redraw((count) => count + 1));
  const rules = arming.current;
  /** Armed period in which the press in progress began. */
  const press = useRef<number | null>(null);

  useEffect(() => {
    const look = () => {
      rules.setVisible(document.visibilityState === 'visible');
      const focused = document.hasFocus();
      rules.setFocused(focused);
      // A window that a site raises again would take what is typed meanwhile.
      if (!focused && document.activeElement === button.current) button.current?.blur();
    };
    const follow = () => rules.setPointerInside(restsOn(button.current));
    const disturb = () => {
      rules.disturb();
      follow();
    };
    // Before our own listeners: what they ask is where the pointer is now.
    const unfollow = followPointer();
    look();
    const until = new AbortController();
    document.addEventListener('visibilitychange', look, until);
    window.addEventListener('focus', look, until);
    window.addEventListener('blur', look, until);
    window.addEventListener('resize', disturb, until);
    document.addEventListener('pointermove', follow, until);
    document.addEventListener('pointerdown', follow, until);
    document.documentElement.addEventListener('pointerleave', follow, until);
    return () => {
      until.abort();
      unfollow();
      rules.stop();
    };
  }, [rules, button]);

  useEffect(() => {
    rules.present(null);
    if (contentKey === null) return;
    return afterPaint(() => {
      rules.setPointerInside(restsOn(button.current));
      rules.present(contentKey);
    });
  }, [rules, contentKey, button]);

  useEffect(() => rules.setEndSeen(endSeen), [rules, endSeen]);

  useEffect(() => {
    const element = content.current;
    if (element === null || contentKey === null) return;
    const observer = new ResizeObserver(() => rules.disturb());
    observer.observe(element);
    return () => observer.disconnect();
  }, [rules, content, contentKey]);

  return {
    hold: rules.holdFor(contentKey),
    handlers: {
      onPointerDown: (event) => {
        press.current = event.button === 0 ? rules.period(contentKey) : null;
      },
      onKeyDown: (event) => {
        // Enter never approves, a key that is held down never does, and Space only when it went
        // down while armed.
        if (event.key === 'Enter' || event.repeat) {
          event.preventDefault();
          press.current = null;
        } else if (event.key === ' ') {
          press.current = rules.period(contentKey);
        }
      },
      onKeyUp: (event) => {
        if (event.key === 'Enter') event.preventDefault();
      },
      onClick: (event) => {
        const began = press.current;
        press.current = null;
        // `detail` counts quick clicks: the second of a double click was meant for something else.
        if (event.detail > 1 || began === null || began !== rules.period(contentKey)) return;
        decide();
      },
    },
  };
}
