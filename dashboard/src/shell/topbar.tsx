import type { ReactNode } from 'react';
import { useAction } from '../keyboard/use-actions';
import type { LiveState } from '../live/live-event';
import { useLiveState } from '../live/live-provider';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { Key } from '../parts/keys';
import { shortTime } from '../parts/time';
import { toggleTheme } from '../theme/preferences';
import styles from './topbar.module.css';

/** Where one is, search, whether the page is live, the theme, and what the screen size adds at the end. */
export function Topbar({ children, end }: { children: ReactNode; end?: ReactNode }) {
  return (
    <>
      {children}
      <div className={styles.end}>
        <SearchButton />
        <LiveSign />
        <IconButton icon="theme" label="Switch between light and dark" onClick={toggleTheme} />
        {end}
      </div>
    </>
  );
}

/** Opens the palette. It looks like the field that the palette has; on a phone it is an icon. */
function SearchButton() {
  const search = useAction('search');
  return (
    <button
      type="button"
      className={styles.search}
      aria-haspopup="dialog"
      aria-keyshortcuts="/ Control+K"
      onClick={search}
    >
      <Icon name="search" />
      <span>Search</span>
      <Key>/</Key>
    </button>
  );
}

function LiveSign() {
  const state = useLiveState();
  return (
    <span className={styles.live} data-state={state.phase} role="status">
      {wordsOf(state)}
    </span>
  );
}

function wordsOf(state: LiveState): string {
  if (state.phase === 'lost') return `As of ${shortTime(new Date(state.since).toISOString())}`;
  return state.phase === 'live' ? 'Live' : 'Connecting';
}
