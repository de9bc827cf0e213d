import { useEffect, useRef, useState } from 'preact/hooks';
import type { WalletState } from '../../messaging/views.ts';
import { call } from '../background.ts';
import { loadLanguage } from '../i18n.ts';
import { applyTheme, rememberDisplay, rememberedDisplay } from '../theme.ts';
import { type Query, useQuery } from './useQuery.ts';

/** At most one `touch` in this time, in milliseconds; the lock deadline is counted in minutes. */
const touchEveryMs = 15_000;

/**
 * The wallet's state; also keeps look and language of this page as the settings say, and the lock
 * deadline moving while somebody is here.
 */
export function useWallet(): Query<WalletState> {
  const query = useQuery('getState', {});
  const [, redraw] = useState(0);
  /** The language of this page; what is remembered may be another page's by now. */
  const language = useRef(rememberedDisplay().language);
  const settings = query.data?.settings;
  const unlocked = query.data?.vault === 'unlocked';

  useEffect(() => {
    if (settings === undefined) return;
    applyTheme(settings);
    rememberDisplay(settings);
    if (language.current === settings.language) return;
    language.current = settings.language;
    void loadLanguage(settings.language).then(() => redraw((count) => count + 1));
  }, [settings]);

  useEffect(() => {
    if (!unlocked) return;
    let last = 0;
    const touch = () => {
      const now = Date.now();
      if (now - last < touchEveryMs) return;
      last = now;
      // A failed touch only leaves the earlier deadline in force.
      call('touch', {}).catch(() => undefined);
    };
    const until = new AbortController();
    document.addEventListener('pointerdown', touch, until);
    document.addEventListener('keydown', touch, until);
    return () => until.abort();
  }, [unlocked]);

  return query;
}
