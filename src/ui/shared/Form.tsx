import type { ComponentChildren } from 'preact';

interface FormProps {
  readonly class?: string;
  /** Called for the submit button and for Enter in a field. */
  readonly onSubmit: (form: HTMLFormElement) => unknown;
  readonly children: ComponentChildren;
}

/** A form that the page itself handles; the browser sends nothing. */
export function Form({ class: className, onSubmit, children }: FormProps) {
  return (
    <form
      class={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    >
      {children}
    </form>
  );
}
