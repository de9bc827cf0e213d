/**
 * Where the pointer was last seen in this document; `null` = not in it. Kept outside of any
 * component: when the next request is drawn, the pointer still rests where the last one was
 * decided, or where the approval request was asked.
 */
let pointer: { readonly x: number; readonly y: number } | null = null;
let followers = 0;

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
    document.addEventListener('pointermove', follow, true);
    document.addEventListener('pointerdown', follow, true);
    document.documentElement.addEventListener('pointerleave', leave);
  }
  return () => {
    followers -= 1;
    if (followers > 0) return;
    document.removeEventListener('pointermove', follow, true);
    document.removeEventListener('pointerdown', follow, true);
    document.documentElement.removeEventListener('pointerleave', leave);
  };
}

/** Whether the pointer lies on the element's box. */
export function restsOn(element: Element | null): boolean {
  if (pointer === null || element === null) return false;
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return pointer.x >= left && pointer.x <= right && pointer.y >= top && pointer.y <= bottom;
}
