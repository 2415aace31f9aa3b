import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Me } from '../api/types';
import { Brand } from '../parts/brand';
import { Icon } from '../parts/icon';
import { Count } from '../parts/status';
import { Avatar } from '../parts/who';
import type { Destination } from './destination';
import styles from './shell.module.css';
import { UserMenu } from './user-menu';

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
          {destinations.map(({ to, label, icon, count, wide, covers }) => (
            <Link
              key={to}
              to={to}
              title={label}
              className={wide ? styles.wide : undefined}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              {...(covers?.(pathname) ? { 'aria-current': 'page' } : {})}
            >
              <Icon name={icon} />
              <span>{label}</span>
              {count !== undefined && count > 0 && <Count value={count} hot label="open" />}
            </Link>
          ))}
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
