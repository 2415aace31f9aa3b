import { useNavigate } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { useAction } from '../keyboard/use-actions';
import type { LiveState } from '../live/event-table';
import { useLiveState } from '../live/live-provider';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { Key } from '../parts/keys';
import { Menu } from '../parts/menu';
import { shortTime } from '../parts/time';
import { useEndSession } from '../session/end-session';
import { toggleTheme } from '../theme/preferences';
import type { Destination } from './destination';
import styles from './topbar.module.css';

/** What belongs to the signed-in person. On a phone it also leads to what the bar at the foot has no room for. */
export function UserMenu({ trigger, more = [] }: { trigger: ReactElement; more?: readonly Destination[] }) {
  const navigate = useNavigate();
  const endSession = useEndSession();
  const places = more.map(({ to, label, icon }) => ({
    id: to,
    label,
    icon,
    onSelect: () => void navigate({ to }),
  }));
  return (
    <Menu
      label="You"
      trigger={trigger}
      items={[
        ...places,
        { id: 'profile', label: 'Profile', icon: 'user', onSelect: () => void navigate({ to: '/settings' }) },
        {
          id: 'keys',
          label: 'Your API keys',
          icon: 'access',
          onSelect: () => void navigate({ to: '/settings/keys' }),
        },
        { id: 'sign-out', label: 'Sign out', icon: 'back', onSelect: () => endSession.mutate() },
      ]}
    />
  );
}

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
