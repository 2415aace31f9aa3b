import { type FocusEvent, useRef, useSyncExternalStore } from 'react';
import { asProblem } from '../api/problem';
import { Icon, type IconName } from './icon';
import styles from './toasts.module.css';

/** A message about the person's own action. */
interface Toast {
  id: number;
  title: string;
  description?: string | undefined;
  icon: IconName;
  /** A refusal is announced at once and stays until it is dismissed. */
  refusal: boolean;
}

/** The most messages at once: a further one replaces the oldest that would go away by itself. */
const MOST = 3;
const SHOWN_MS = 5_000;

/** Holds the messages that are shown. Their time does not run while a person reads them with pointer or focus. */
class ToastStore {
  private readonly listeners = new Set<() => void>();
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();
  private toasts: readonly Toast[] = [];
  private nextId = 1;
  private isHeld = false;

  readonly list = (): readonly Toast[] => this.toasts;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  add(toast: Omit<Toast, 'id'>): void {
    const added = { ...toast, id: this.nextId };
    this.nextId += 1;
    const excess = this.toasts.length + 1 - MOST;
    const leaving = this.toasts
      .toSorted((a, b) => Number(a.refusal) - Number(b.refusal))
      .slice(0, Math.max(0, excess));
    for (const { id } of leaving) this.stopTimer(id);
    this.show([...this.toasts.filter((one) => !leaving.includes(one)), added]);
    if (!this.isHeld) this.startTimer(added);
  }

  readonly dismiss = (id: number): void => {
    this.stopTimer(id);
    this.show(this.toasts.filter((toast) => toast.id !== id));
  };

  readonly dismissAll = (): void => {
    for (const { id } of this.toasts) this.dismiss(id);
  };

  readonly hold = (): void => {
    this.isHeld = true;
    for (const { id } of this.toasts) this.stopTimer(id);
  };

  readonly release = (): void => {
    this.isHeld = false;
    for (const toast of this.toasts) this.startTimer(toast);
  };

  private startTimer({ id, refusal }: Toast): void {
    if (refusal || this.timers.has(id)) return;
    this.timers.set(
      id,
      setTimeout(() => this.dismiss(id), SHOWN_MS),
    );
  }

  private stopTimer(id: number): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
  }

  private show(toasts: readonly Toast[]): void {
    this.toasts = toasts;
    for (const listener of this.listeners) listener();
  }
}

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
