import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { asProblem } from '../api/problem';
import { Icon, type IconName } from './icon';
import styles from './toasts.module.css';

const manager = Toast.createToastManager<{ icon: IconName }>();

/** Says what a person's own action did. Changes by others are never announced this way. */
export function announce(title: string, description?: string): void {
  manager.add({ title, description, data: { icon: 'resolved' } });
}

/** Says that an action was refused, in the service's own words, until it is dismissed. */
export function announceRefusal(title: string, error: unknown): void {
  const { detail } = asProblem(error);
  manager.add({ title, description: detail, data: { icon: 'error' }, timeout: 0, priority: 'high' });
}

export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager<{ icon: IconName }>();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Icon name={toast.data?.icon ?? 'info'} />
      <div className={styles.text}>
        <Toast.Title render={<b />} />
        <Toast.Description render={<p className="soft" />} />
      </div>
      <Toast.Close className={styles.close} aria-label="Dismiss">
        <Icon name="close" />
      </Toast.Close>
    </Toast.Root>
  ));
}
