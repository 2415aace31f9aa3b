import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Destination } from './destination';
import styles from './topbar.module.css';

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
