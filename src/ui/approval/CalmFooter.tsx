import type { ComponentChildren } from 'preact';

/** Buttons of a state that is no decision; they answer at once. */
export function CalmFooter({ children }: { readonly children: ComponentChildren }) {
  return (
    <footer class="decision">
      <div class="decision-buttons decision-calm">{children}</div>
    </footer>
  );
}
