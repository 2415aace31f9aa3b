import { Link } from '@tanstack/react-router';
import styles from './crumbs.module.css';

export interface Crumb {
  label: string;
  to?: string;
  params?: Record<string, string>;
}

/** Where the screen is; the last crumb is the screen itself. */
export function Crumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Where you are">
      <ol className={styles.crumbs}>
        {crumbs.map(({ label, to, params }, index) => (
          <li key={label}>
            {to === undefined || index === crumbs.length - 1 ? (
              <span aria-current="page">{label}</span>
            ) : (
              <Link to={to} params={params ?? {}}>
                {label}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
