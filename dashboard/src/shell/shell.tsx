import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Me } from '../api/types';
import { HelpDialog } from '../keyboard/help-dialog';
import { type Action, useActions } from '../keyboard/use-actions';
import { useKeyboard } from '../keyboard/use-keyboard';
import { useLiveState, useTrouble } from '../live/live-provider';
import { Button } from '../parts/button';
import { Brand, Icon } from '../parts/icon';
import { Count } from '../parts/status';
import { shortTime } from '../parts/time';
import { announceRefusal, performToast, toastStore, useToasts } from '../parts/toasts';
import { Avatar } from '../parts/who';
import { stop, useElevatedUntil } from '../session/elevated/elevated-mode';
import { GoOnButton, GoOnDialog, HaltDialog, haltQuery } from '../session/halt/halt-button';
import { hasRole, useMe, useEndSession } from '../session/me';
import { toggleTheme } from '../theme/preferences';
import elevated from '../session/elevated/elevated.module.css';
import styles from './shell.module.css';
import { type Destination, isAt, UserMenu } from './topbar';

/** The halt of all agents and its end, from every screen; for Admins. */
export function HaltActions() {
  const admin = hasRole(useMe(), 'Admin');
  const halted = useQuery(haltQuery).data?.halted ?? false;
  const [asking, setAsking] = useState<'halt' | 'go-on' | null>(null);
  const close = () => setAsking(null);
  useActions(
    [
      {
        id: 'halt',
        name: 'Halt all agents',
        icon: 'pause',
        group: 'Agents',
        words: 'stop pause emergency brake',
        available: admin && !halted,
        perform: () => setAsking('halt'),
      },
      {
        id: 'go-on',
        name: 'Let agents go on',
        icon: 'progress',
        group: 'Agents',
        words: 'end the halt resume continue start all',
        available: admin && halted,
        perform: () => setAsking('go-on'),
      },
    ],
    'page',
  );
  if (asking === 'halt') return <HaltDialog onClose={close} />;
  return asking === 'go-on' ? <GoOnDialog onClose={close} /> : null;
}

/** What concerns every screen: a halt of all agents, a lost connection, and a service that cannot answer. */
export function Banners() {
  const state = useLiveState();
  const admin = hasRole(useMe(), 'Admin');
  const halt = useQuery(haltQuery);
  const trouble = useTrouble();
  return (
    <>
      {halt.data?.halted && (
        <div className={`${styles.banner} ${styles.halt}`} role="status">
          <Icon name="pause" />
          <span>
            <b>All agents are halted.</b> {halt.data.reason}
          </span>
          {admin && <GoOnButton />}
        </div>
      )}
      {state.phase === 'lost' && (
        <div className={`${styles.banner} ${styles.stale}`} role="status">
          <Icon name="refresh" />
          <span>
            <b>Reconnecting.</b> What you see is from {shortTime(new Date(state.since).toISOString())}.
          </span>
        </div>
      )}
      {state.phase !== 'lost' && trouble !== null && (
        <div className={`${styles.banner} ${styles.stale}`} role="status">
          <Icon name="refresh" />
          <span>
            <b>Not everything could be read.</b> {trouble.detail} The page tries again by itself.
          </span>
        </div>
      )}
      <ElevatedBar />
    </>
  );
}

/** Says until when one manages servers, with the way to end it. */
function ElevatedBar() {
  const until = useElevatedUntil();
  if (until === null) return null;
  const end = () => stop().catch((error: unknown) => announceRefusal('The key could not be ended', error));
  return (
    <div className={elevated.bar} role="status">
      <Icon name="shield" />
      <span>
        You manage servers until <b>{shortTime(until)}</b>. Every change is recorded with your name.
      </span>
      <Button small onClick={() => void end()}>
        Stop now
      </Button>
    </div>
  );
}

interface ShellProps {
  me: Me;
  destinations: readonly Destination[];
  topbar: ReactNode;
  banners: ReactNode;
  children: ReactNode;
}

/** Rail, top bar and page: the frame of every screen after sign-in. */
export function Shell({ me, destinations, topbar, banners, children }: ShellProps) {
  const { pathname } = useLocation();
  return (
    <div className={styles.app}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <div className={styles.rail}>
        <Link to="/" className={styles.brand} aria-label="Work platform, start">
          <Brand />
        </Link>
        <nav className={styles.nav} aria-label="Main">
          {destinations.map((destination) => {
            const { to, label, icon, count, wide } = destination;
            return (
              <Link
                key={to}
                to={to}
                title={label}
                className={wide ? styles.wide : undefined}
                // The router marks only what lies below the address of the link itself.
                activeProps={{ 'aria-current': undefined }}
                aria-current={isAt(destination, pathname) ? 'page' : undefined}
              >
                <Icon name={icon} />
                <span>{label}</span>
                {count !== undefined && count > 0 && <Count value={count} hot label="open" />}
              </Link>
            );
          })}
        </nav>
        <UserMenu
          trigger={
            <button type="button" className={styles.foot} title={me.name}>
              <Avatar party={{ type: 'user', name: me.name }} />
              <span>
                <b className="clip">{me.name}</b>
                <span className="soft small">{me.role}</span>
              </span>
              <Icon name="more" />
            </button>
          }
        />
      </div>
      <header className={styles.topbar}>{topbar}</header>
      <div className={styles.page}>
        {banners}
        <main className={styles.main} id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  );
}

const PALETTE = { name: 'Search and commands', icon: 'search', group: 'Page' } as const;

/** The actions that every screen has, with the keyboard, the palette and the help dialog that perform them. */
export function PageActions({
  destinations,
  extra = [],
  palette,
}: {
  destinations: readonly Destination[];
  extra?: readonly Action[];
  palette: (open: boolean, onClose: () => void) => ReactNode;
}) {
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  const navigate = useNavigate();
  const endSession = useEndSession();
  const show = (dialog: 'palette' | 'help') => setOpen((now) => (now === dialog ? null : dialog));
  const toasts = useToasts();
  const offer = toasts.findLast(({ action, refusal }) => action !== undefined && !refusal);
  const wayOut = toasts.findLast(({ action, refusal }) => action !== undefined && refusal);
  useKeyboard();
  useActions(
    [
      ...destinations.map((destination) => goTo(destination, (to) => void navigate({ to }))),
      ...extra,
      // Two keys open the same palette.
      { ...PALETTE, id: 'palette', shortcut: 'Mod+k', perform: () => show('palette') },
      { ...PALETTE, id: 'search', shortcut: '/', perform: () => show('palette') },
      {
        id: 'help',
        name: 'Keyboard shortcuts',
        icon: 'info',
        group: 'Page',
        shortcut: '?',
        perform: () => show('help'),
      },
      {
        id: 'dismiss',
        name: 'Dismiss the messages',
        icon: 'close',
        group: 'Page',
        words: 'toasts notifications',
        available: toasts.length > 0,
        perform: toastStore.dismissAll,
      },
      {
        // What the latest message offers: to take a change back, or to open what was created.
        id: 'offer',
        name: `${offer?.action?.label ?? ''}: ${offer?.title ?? ''}`,
        icon: 'back',
        group: 'Page',
        shortcut: 'z',
        available: offer !== undefined,
        perform: () => offer && performToast(offer),
      },
      {
        // What a refusal offers has no key: it goes further than what was asked for.
        id: 'way-out',
        name: `${wayOut?.action?.label ?? ''}: ${wayOut?.title ?? ''}`,
        icon: 'arrow',
        group: 'Page',
        available: wayOut !== undefined,
        perform: () => wayOut && performToast(wayOut),
      },
      {
        id: 'theme',
        name: 'Switch between light and dark',
        icon: 'theme',
        group: 'Page',
        words: 'theme',
        perform: toggleTheme,
      },
      {
        id: 'sign-out',
        name: 'Sign out',
        icon: 'back',
        group: 'Page',
        words: 'log out',
        perform: () => endSession.mutate(),
      },
    ],
    'page',
  );
  return (
    <>
      {palette(open === 'palette', () => setOpen(null))}
      <HelpDialog open={open === 'help'} onClose={() => setOpen(null)} />
    </>
  );
}

function goTo({ to, label, icon, shortcut }: Destination, go: (to: string) => void): Action {
  return {
    id: `go ${to}`,
    name: `Go to ${label}`,
    icon,
    group: 'Go to',
    ...(shortcut === undefined ? {} : { shortcut }),
    perform: () => go(to),
  };
}
