/**
 * Where the pointer was last seen in this document; `null` = not in it. Kept outside of any
 * component: when the next request is drawn, the pointer still rests where the last one was
 * decided, or where the approval request was asked.
 */
let pointer: { readonly x: number; readonly y: number } | null = null;
let followers = 0;
let until = new AbortController();

const follow = ({ type, pressure, pointerType, clientX, clientY }: PointerEvent) => {
  // A screen reader's press comes from no hand: browsers give it the middle of the button as its
  // place, and no pressure.
  if (type === 'pointerdown' && pressure === 0) return;
  // A finger rests nowhere between two touches.
  pointer = pointerType === 'touch' ? null : { x: clientX, y: clientY };
};
const leave = () => {
  pointer = null;
};

/** Watches the pointer until the returned function is called; several may watch. */
export function followPointer(): () => void {
  followers += 1;
  if (followers === 1) {
    until = new AbortController();
    const options = { capture: true, signal: until.signal };
    document.addEventListener('pointermove', follow, options);
    document.addEventListener('pointerdown', follow, options);
    document.documentElement.addEventListener('pointerleave', leave, until);
  }
  return () => {
    followers -= 1;
    if (followers === 0) until.abort();
  };
}

const isInside = ({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

/** Whether the pointer lies on the element's box. */
export const restsOn = (element: Element | null): boolean =>
  pointer !== null && element !== null && isInside(element.getBoundingClientRect(), pointer.x, pointer.y);

/**
 * Carries a press on Reject over a change of the screen until the returned function is called: the
 * browser makes no click of a press whose button is gone. Released where that button was, it
 * presses the one that rejects the same request; of another request there is none.
 */
export function carryReject(): () => void {
  let pressed: HTMLElement | null = null;
  let box = new DOMRect();
  const down = ({ button, target }: PointerEvent) => {
    pressed = button === 0 && target instanceof Element ? target.closest<HTMLElement>('[data-rejects]') : null;
    box = pressed?.getBoundingClientRect() ?? box;
  };
  const up = ({ clientX, clientY }: PointerEvent) => {
    const id = pressed?.isConnected === false ? pressed.dataset.rejects : undefined;
    pressed = null;
    const button = document.querySelector<HTMLElement>('[data-rejects]');
    if (id !== undefined && id === button?.dataset.rejects && isInside(box, clientX, clientY)) button.click();
  };
  const ended = new AbortController();
  const options = { capture: true, signal: ended.signal };
  document.addEventListener('pointerdown', down, options);
  document.addEventListener('pointerup', up, options);
  return () => ended.abort();
}
