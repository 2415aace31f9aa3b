import type { ReactNode } from 'react';
import styles from './empty.module.css';
import { Icon, type IconName } from './icon';

interface EmptyProps {
  icon: IconName;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}

/** An empty screen: what belongs here, and the first step. A list that a filter emptied says so instead. */
export function Empty({ icon, title, children, actions }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} />
      <h3>{title}</h3>
      <p>{children}</p>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
