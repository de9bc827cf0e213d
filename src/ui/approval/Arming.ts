/** How long everything has to be still before a decision counts, in milliseconds. */
export const stillMs = 700;

/** Why the approve button does not answer yet; `null` = it does. */
export type Hold = 'content' | 'hidden' | 'unfocused' | 'end' | 'pointer' | 'still' | null;

/**
 * Decides when the approve button may answer. It does only while the content is drawn, the page is
 * visible, the window has the focus, the end of the content was in view, the pointer was not
 * resting where the button appeared, and nothing of this has changed for `stillMs`. Each armed
 * period has its own number: a press that began in another one does not count.
 */
export class Arming {
  #content: string | null = null;
  #visible = false;
  #focused = false;
  #endSeen = false;
  #pointerInside = false;
  #mustLeave = false;
  #still = false;
  /** This content was armed before; what follows are disturbances of something already seen. */
  #stillOnce = false;
  #period = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get hold(): Hold {
    if (this.#content === null) return 'content';
    if (!this.#visible) return 'hidden';
    if (!this.#focused) return 'unfocused';
    if (!this.#endSeen) return 'end';
    if (this.#mustLeave) return 'pointer';
    return this.#still ? null : 'still';
  }

  /** Number of the present armed period, `null` while not armed for just this content. */
  period(content: string | null): number | null {
    return content === this.#content && this.hold === null ? this.#period : null;
  }

  /** Like `hold`, for content that may have been drawn a moment ago and not presented yet. */
  holdFor(content: string | null): Hold {
    return content === this.#content ? this.hold : 'content';
  }

  /**
   * New content is on the screen (`key` names all of it), or none (`null`). A pointer that rests on
   * the button has to leave it first.
   */
  present(key: string | null): void {
    if (key === this.#content) return;
    this.#content = key;
    this.#mustLeave = this.#pointerInside;
    this.#stillOnce = false;
    this.disturb();
  }

  /** Something moved: layout, size, focus. The still time starts anew. */
  disturb(): void {
    clearTimeout(this.#timer);
    this.#still = false;
    this.#period += 1;
    this.#timer = setTimeout(() => {
      this.#still = true;
      this.#stillOnce = this.hold === null || this.#stillOnce;
      this.#changed();
    }, stillMs);
    this.#changed();
  }

  setVisible(visible: boolean): void {
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.disturb();
  }

  setFocused(focused: boolean): void {
    if (focused === this.#focused) return;
    this.#focused = focused;
    this.disturb();
  }

  setEndSeen(seen: boolean): void {
    if (seen === this.#endSeen) return;
    this.#endSeen = seen;
    this.disturb();
  }

  /**
   * The pointer is on the button or not. Found there before the first still moment, it was already
   * waiting for it.
   */
  setPointerInside(inside: boolean): void {
    if (inside === this.#pointerInside) return;
    this.#pointerInside = inside;
    if (!inside && this.#mustLeave) {
      this.#mustLeave = false;
      this.disturb();
    } else if (inside && !this.#still && !this.#stillOnce) {
      this.#mustLeave = true;
      this.#changed();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
