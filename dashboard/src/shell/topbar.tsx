import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { Me, Project } from '../api/types';
import { useAction } from '../keyboard/use-actions';
import type { LiveState } from '../live/event-table';
import { useLiveState, useTrouble } from '../live/live-provider';
import { Button, IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { Key } from '../parts/keys';
import { Menu } from '../parts/menu';
import { shortTime } from '../parts/time';
import { Avatar } from '../parts/who';
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

/** The menu of the person in the top bar of a phone, with the places that its bar at the foot leaves out. */
export function PersonButton({ me, more }: { me: Me; more: readonly Destination[] }) {
  return (
    <UserMenu
      more={more}
      trigger={
        <button type="button" className={styles.person} aria-label={`${me.name}: profile and more`}>
          <Avatar party={{ type: 'user', name: me.name }} />
        </button>
      }
    />
  );
}

/** The choice of a project on screens of work, and the way back to the section on all others. */
export function WhereOneIs({
  destinations,
  children,
}: {
  destinations: readonly Destination[];
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  const section = pathname.startsWith('/catalog')
    ? destinations.find(({ to }) => to === '/servers')
    : destinations.find(
        ({ to, covers }) => !covers && (to === '/' ? pathname === '/' : pathname.startsWith(to)),
      );
  if (section === undefined) return children;
  return (
    <Link to={section.to} className={styles.section}>
      {section.label}
    </Link>
  );
}

/** Chooses the project whose work is shown. */
export function ProjectSwitch({
  projects,
  current,
}: {
  projects: readonly Project[];
  current: string | null;
}) {
  const navigate = useNavigate();
  const project = projects.find(({ key }) => key === current);
  const items = projects.map(({ key, name }) => ({
    id: key,
    label: `${name} (${key})`,
    chosen: key === current,
    onSelect: () => void navigate({ to: '/p/$key/board', params: { key } }),
  }));
  const all = { id: 'all', label: 'All projects', onSelect: () => void navigate({ to: '/projects' }) };
  return (
    <Menu
      label="Projects"
      items={[...items, all]}
      trigger={
        <Button look="quiet" className={styles.switch} aria-label={`Project: ${project?.name ?? 'none'}`}>
          {project?.name ?? 'Projects'}
        </Button>
      }
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
  const isTrying = useTrouble() !== null && state.phase === 'live';
  return (
    <span className={styles.live} data-state={isTrying ? 'connecting' : state.phase} role="status">
      {isTrying ? 'Trying again' : wordsOf(state)}
    </span>
  );
}

function wordsOf(state: LiveState): string {
  if (state.phase === 'lost') return `As of ${shortTime(new Date(state.since).toISOString())}`;
  return state.phase === 'live' ? 'Live' : 'Connecting';
}
