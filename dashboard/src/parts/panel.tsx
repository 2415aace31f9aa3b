import { useEffect, useRef, type ReactNode } from 'react';
import styles from './panel.module.css';

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
      <div className={styles.body} ref={body} tabIndex={-1}>
        {children}
      </div>
    </aside>
  );
}
