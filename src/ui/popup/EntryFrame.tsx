import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../i18n.ts';
import type { Tone } from '../shared/Banner.tsx';
import { Icon, type IconName } from '../shared/Icon.tsx';

interface EntryFrameProps {
  /** Picture of the kind; its dot has the colour of the state. */
  readonly icon?: IconName;
  /** First line of the folded entry. */
  readonly head: ComponentChildren;
  /** Key of the state's text, and its colour. */
  readonly status: { readonly label: string; readonly tone: Tone };
  /** Stands beside the state: a time or a share. */
  readonly aside: ComponentChildren;
  readonly children: ComponentChildren;
}

/** One entry of a list; what it holds opens in place. */
export function EntryFrame({ icon, head, status, aside, children }: EntryFrameProps) {
  const [open, setOpen] = useState(false);
  return (
    <li class="entry">
      <button
        type="button"
        class={icon === undefined ? 'entry-head' : 'entry-head entry-with-icon'}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {icon !== undefined && (
          <span class={`entry-icon entry-icon-${status.tone}`}>
            <Icon name={icon} />
          </span>
        )}
        {head}
        <span class="entry-line">
          <span class={`chip chip-${status.tone}`}>{t(status.label)}</span>
          <span class="soft entry-time">{aside}</span>
          <Icon name="down" />
        </span>
      </button>
      {open && <div class="entry-body">{children}</div>}
    </li>
  );
}
