import { type FocusEvent, useRef, useSyncExternalStore } from 'react';
import { asProblem } from '../api/problem';
import { Button } from './button';
import { Icon, type IconName } from './icon';
import styles from './toasts.module.css';

/** What a person can do about a message: take it back, or go where it leads. */
export interface ToastAction {
  label: string;
  perform: () => void;
}

/** A message about the person's own action. */
interface Toast {
  id: number;
  title: string;
  description?: string | undefined;
  icon: IconName;
  action?: ToastAction | undefined;
  /** A refusal is announced at once and stays until it is dismissed. */
  refusal: boolean;
}

/** The most messages at once: a further one replaces the oldest that would go away by itself. */
const MOST = 3;
const SHOWN_MS = 5_000;
/** One that offers something takes longer to decide on. */
const OFFERED_MS = 12_000;

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

  private startTimer({ id, refusal, action }: Toast): void {
    if (refusal || this.timers.has(id)) return;
    this.timers.set(
      id,
      setTimeout(() => this.dismiss(id), action ? OFFERED_MS : SHOWN_MS),
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
export function announce(title: string, description?: string, action?: ToastAction): void {
  toastStore.add({ title, description, action, icon: 'resolved', refusal: false });
}

/** Says that an action was refused, in the service's own words or those of several refusals, until it is dismissed. */
export function announceRefusal(title: string, reason: unknown, action?: ToastAction): void {
  const description = typeof reason === 'string' ? reason : asProblem(reason).detail;
  toastStore.add({ title, description, action, icon: 'error', refusal: true });
}

/** The messages that are shown; renders again when they change. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(toastStore.subscribe, toastStore.list);
}

/** Does what a message offers, which is then gone. */
export function performToast({ id, action }: Toast): void {
  toastStore.dismiss(id);
  action?.perform();
}

/**
 * The messages of the page. They are live regions and no dialogs: they neither take the focus nor keep keys from the
 * page. Both regions exist before their first message, because screen readers announce only what an existing one gets.
 */
export function Toasts() {
  const toasts = useToasts();
  const before = useRef<Element | null>(null);
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
    toastStore.hold();
  };
  const leave = () => {
    if (before.current instanceof HTMLElement) before.current.focus();
    toastStore.release();
  };
  const dismiss = (toast: Toast) => {
    toastStore.dismiss(toast.id);
    leave();
  };
  const act = (toast: Toast) => {
    leave();
    performToast(toast);
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
        <List toasts={toasts.filter(({ refusal }) => !refusal)} onDismiss={dismiss} onAct={act} />
      </div>
      <div role="alert" aria-atomic="false">
        <List toasts={toasts.filter(({ refusal }) => refusal)} onDismiss={dismiss} onAct={act} />
      </div>
    </section>
  );
}

interface ListProps {
  toasts: readonly Toast[];
  onDismiss: (toast: Toast) => void;
  onAct: (toast: Toast) => void;
}

function List({ toasts, onDismiss, onAct }: ListProps) {
  return toasts.map((toast) => (
    <div key={toast.id} className={styles.toast}>
      <Icon name={toast.icon} />
      <div className={styles.text}>
        <b>{toast.title}</b>
        {toast.description !== undefined && <p className="soft">{toast.description}</p>}
        {toast.action && (
          <Button small onClick={() => onAct(toast)}>
            {toast.action.label}
          </Button>
        )}
      </div>
      <button type="button" className={styles.close} aria-label="Dismiss" onClick={() => onDismiss(toast)}>
        <Icon name="close" />
      </button>
    </div>
  ));
}
