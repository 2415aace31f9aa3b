import { useRef, useSyncExternalStore, type FocusEvent } from 'react';
import { asProblem } from '../api/problem';
import { Icon } from './icon';
import { ToastStore, type Toast } from './toast-store';
import styles from './toasts.module.css';

export const toastStore = new ToastStore();

/** Says what a person's own action did. Changes by others are never announced this way. */
export function announce(title: string, description?: string): void {
  toastStore.add({ title, description, icon: 'resolved', refusal: false });
}

/** Says that an action was refused, in the service's own words, until it is dismissed. */
export function announceRefusal(title: string, error: unknown): void {
  const { detail } = asProblem(error);
  toastStore.add({ title, description: detail, icon: 'error', refusal: true });
}

/** Whether a message is shown; renders again when that changes. */
export function useHasToasts(): boolean {
  return useSyncExternalStore(toastStore.subscribe, () => toastStore.list().length > 0);
}

/**
 * The messages of the page. They are live regions and no dialogs: they neither take the focus nor keep keys from the
 * page. Both regions exist before their first message, because screen readers announce only what an existing one gets.
 */
export function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.list);
  const before = useRef<Element | null>(null);
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
    toastStore.hold();
  };
  const dismiss = (id: number) => {
    toastStore.dismiss(id);
    if (before.current instanceof HTMLElement) before.current.focus();
    toastStore.release();
  };
  return (
    <section
      className={styles.viewport}
      aria-label="Notifications"
      onPointerEnter={toastStore.hold}
      onPointerLeave={toastStore.release}
      onFocus={onFocus}
      onBlur={toastStore.release}
    >
      <div role="status" aria-atomic="false">
        <List toasts={toasts.filter(({ refusal }) => !refusal)} onDismiss={dismiss} />
      </div>
      <div role="alert" aria-atomic="false">
        <List toasts={toasts.filter(({ refusal }) => refusal)} onDismiss={dismiss} />
      </div>
    </section>
  );
}

function List({ toasts, onDismiss }: { toasts: readonly Toast[]; onDismiss: (id: number) => void }) {
  return toasts.map(({ id, title, description, icon }) => (
    <div key={id} className={styles.toast}>
      <Icon name={icon} />
      <div className={styles.text}>
        <b>{title}</b>
        {description !== undefined && <p className="soft">{description}</p>}
      </div>
      <button type="button" className={styles.close} aria-label="Dismiss" onClick={() => onDismiss(id)}>
        <Icon name="close" />
      </button>
    </div>
  ));
}
