import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n.ts';
import { Problem } from '../shared/Problem.tsx';
import { Skeleton } from '../shared/Skeleton.tsx';
import { PageHead } from './PageHead.tsx';
import type { ScreenProps } from './screenProps.ts';

type Body = ComponentType<ScreenProps>;

/**
 * A screen whose code comes when it or another such screen is opened, because most openings of the
 * popup are about something else.
 * @param label - Message of the catalogs: the heading until then.
 */
export function onDemand(label: string, name: keyof typeof import('./laterScreens.ts')): Body {
  let loaded: Body | null = null;
  return (props) => {
    const [Body, setBody] = useState(() => loaded);
    const [error, setError] = useState<unknown>(null);
    const heading = useRef<HTMLElement>(null);
    const hadFocus = useRef(false);
    useEffect(() => {
      import('./laterScreens.ts').then((screens) => {
        const body = screens[name];
        loaded = body;
        hadFocus.current = heading.current?.contains(document.activeElement) === true;
        setBody(() => body);
      }, setError);
    }, []);
    // Readers are at the heading that goes: they start at the one that comes.
    useLayoutEffect(() => {
      if (hadFocus.current) document.querySelector<HTMLElement>('.popup-scroll h1')?.focus({ preventScroll: true });
    }, [Body]);
    if (Body !== null) return <Body {...props} />;
    return (
      <main class="tab" ref={heading}>
        <PageHead title={t(label)} />
        {error === null ? <Skeleton lines={[6, 10, 10, 10]} /> : <Problem error={error} />}
      </main>
    );
  };
}
