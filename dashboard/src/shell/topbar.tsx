import { useNavigate } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import type { LiveState } from '../live/live-event';
import { useLiveState } from '../live/live-provider';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { Key } from '../parts/keys';
import { shortTime } from '../parts/time';
import { toggleTheme } from '../theme/preferences';
import styles from './topbar.module.css';

/** Where one is, search, whether the page is live, the theme, and what the screen size adds at the end. */
export function Topbar({
  children,
  project,
  end,
}: {
  children: ReactNode;
  project: string | null;
  end?: ReactNode;
}) {
  return (
    <>
      {children}
      <div className={styles.end}>
        {project !== null && <Search project={project} />}
        <LiveSign />
        <IconButton icon="theme" label="Switch between light and dark" onClick={toggleTheme} />
        {end}
      </div>
    </>
  );
}

function Search({ project }: { project: string }) {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  return (
    <form
      className={styles.search}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({
          to: '/p/$key/list',
          params: { key: project },
          search: { q: input.current?.value || undefined },
        });
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        name="q"
        placeholder="Search issues"
        aria-label="Search issues"
        aria-keyshortcuts="/"
        data-search
      />
      <Key>/</Key>
    </form>
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
