import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { Me, Project } from '../api/types';
import { useAction } from '../keyboard/use-actions';
import type { LiveState } from '../live/event-table';
import { useLiveState, useTrouble } from '../live/live-provider';
import { Button, IconButton, Key } from '../parts/button';
import { Icon, type IconName } from '../parts/icon';
import { Menu } from '../parts/menu';
import { shortTime } from '../parts/time';
import { Avatar } from '../parts/who';
import { useEndSession } from '../session/me';
import { toggleTheme } from '../theme/preferences';
import styles from './topbar.module.css';

const KEY = 'awp.project';

/** The project that a person last looked at, or the first; null when there is none. */
export function lastProject(projects: readonly Project[]): string | null {
  const kept = localStorage.getItem(KEY);
  return projects.find(({ key }) => key === kept)?.key ?? projects[0]?.key ?? null;
}

export function rememberProject(key: string): void {
  localStorage.setItem(KEY, key);
}

/** One place of the rail; the same entry makes the action "Go to …" with its shortcut. */
export interface Destination {
  to: string;
  label: string;
  icon: IconName;
  /** What waits there for the person. */
  count?: number | undefined;
  /** Left out of the bar at the foot of a phone; the menu of the person holds it there. */
  wide?: boolean;
  /** Whether an address below another path belongs to it as well. */
  covers?: (pathname: string) => boolean;
  /** A sequence such as `g b`. */
  shortcut?: string;
}

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

/** Whether a place of the rail is where an address is. */
export const isAt = ({ to, covers }: Destination, pathname: string): boolean =>
  covers?.(pathname) ?? (to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`));

/** The way back to the section that one is in; on screens of work it is that of all projects, with what follows it. */
export function WhereOneIs({
  destinations,
  children,
}: {
  destinations: readonly Destination[];
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  const section = destinations.find((destination) => isAt(destination, pathname));
  const isWork = section?.label === 'Work';
  if (section === undefined) return children;
  return (
    <nav className={styles.crumbs} aria-label="Where you are">
      <Link to={isWork ? '/projects' : section.to} className={styles.section}>
        {isWork ? 'Projects' : section.label}
      </Link>
      {isWork && children}
    </nav>
  );
}

/** The project whose work is shown, to choose another one, and the issue that is open. */
export function ProjectSwitch({
  projects,
  current,
  issue,
}: {
  projects: readonly Project[];
  /** Null where the screen is of no single project. */
  current: string | null;
  issue: string | null;
}) {
  const navigate = useNavigate();
  const project = projects.find(({ key }) => key === current);
  const items = projects.map(({ key, name }) => ({
    id: key,
    label: `${name} (${key})`,
    chosen: key === current,
    onSelect: () => void navigate({ to: '/p/$key/board', params: { key } }),
  }));
  if (project === undefined) return null;
  return (
    <>
      <span className={styles.slash} aria-hidden="true">
        /
      </span>
      <Menu
        label="Projects"
        items={items}
        trigger={
          <Button look="quiet" className={styles.switch} aria-label={`Project: ${project.name}`}>
            {project.name}
          </Button>
        }
      />
      {issue !== null && (
        <>
          <span className={styles.slash} aria-hidden="true">
            /
          </span>
          <span className={styles.issue} aria-current="page">
            {issue}
          </span>
        </>
      )}
    </>
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
