import { useEffect, type ReactNode, useSyncExternalStore } from 'react';
import styles from './page.module.css';

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
