import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './card.module.css';
import { Count } from './status';

/** A panel over the right side of a screen that stays usable. Escape closes it; the focus goes to its body and back. */
export function Panel({
  label,
  header,
  onClose,
  children,
}: {
  label: string;
  header: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const body = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const before = document.activeElement;
    body.current?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) close.current();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <aside className={styles.panel} aria-label={label}>
      <header>{header}</header>
      <div className={styles.panelBody} ref={body} tabIndex={-1}>
        {children}
      </div>
    </aside>
  );
}

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
