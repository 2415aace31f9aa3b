import type { ReactNode } from 'react';
import { useId } from 'react';
import styles from './card.module.css';
import { Count } from './status';

interface CardProps {
  title: string;
  count?: number | undefined;
  actions?: ReactNode;
  footer?: ReactNode;
  /** Whether the content brings its own padding, as rows do. */
  flush?: boolean;
  children: ReactNode;
}

/** A titled region with a border. */
export function Card({ title, count, actions, footer, flush = false, children }: CardProps) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={id}>
      <header className={styles.header}>
        <h2 id={id}>{title}</h2>
        {count !== undefined && <Count value={count} />}
        {actions && <div className={styles.end}>{actions}</div>}
      </header>
      {flush ? children : <div className={styles.body}>{children}</div>}
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </section>
  );
}

export function Rows({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  );
}

/** Names and values, in two columns. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
