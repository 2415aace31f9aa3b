import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import styles from './page.module.css';
import { Count } from './status';

interface PageProps {
  title: string;
  lede?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen: its title is the document's title and its only `h1`. */
export function Page({ title, lede, actions, children }: PageProps) {
  usePageTitle(title);
  return (
    <>
      <div className={styles.head}>
        <div>
          <h1>{title}</h1>
          {lede && <p className={styles.lede}>{lede}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </>
  );
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Agent Work Platform`;
  }, [title]);
}

export interface Tab {
  label: string;
  to: string;
  params?: Record<string, string>;
  /** Tabs of one path differ by it. */
  search?: object;
  /** Whether pages below it belong to the tab. */
  within?: boolean;
  count?: number | undefined;
}

/** Tabs that are pages of their own: each has an address, and the present one is marked for everyone. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const strip = useRef<HTMLElement>(null);
  const { href } = useLocation();
  // Counts that come later make the tabs before the present one wider.
  const widths = tabs.map(({ count }) => count ?? '').join(' ');
  // On a phone the tabs are wider than the screen; the present one is in sight all the same.
  useEffect(() => {
    const present = strip.current?.querySelector<HTMLElement>('[aria-current]');
    if (strip.current && present)
      strip.current.scrollLeft = present.offsetLeft + present.offsetWidth - strip.current.clientWidth;
  }, [href, widths]);
  return (
    <nav className={styles.tabs} aria-label={label} ref={strip}>
      {tabs.map((tab) => (
        <Link
          key={tab.label}
          to={tab.to}
          params={tab.params ?? {}}
          search={tab.search ?? {}}
          activeOptions={{ exact: !tab.within, includeSearch: tab.search !== undefined }}
        >
          {tab.label}
          {tab.count !== undefined && <Count value={tab.count} />}
        </Link>
      ))}
    </nav>
  );
}

/** Whether a part of an address names one of these tabs. */
export const isTab = <Name extends string>(names: readonly Name[], part: string): part is Name =>
  names.some((name) => name === part);

/** A bar of filters above a list; `end` stands at the right. Many filters scroll in one line of a phone. */
export function FilterBar({
  children,
  end,
  many = false,
}: {
  children: ReactNode;
  end?: ReactNode;
  many?: boolean;
}) {
  return (
    <div className={styles.bar}>
      {many ? <div className={styles.strip}>{children}</div> : children}
      {end && <span className={styles.end}>{end}</span>}
    </div>
  );
}

const narrow = '(max-width: 640px)';

/** Whether the window is as narrow as a phone, where the order of a screen's parts is another one. */
export function usePhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(narrow);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(narrow).matches,
  );
}
