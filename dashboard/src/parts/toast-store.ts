import type { IconName } from './icon';

/** A message about the person's own action. */
export interface Toast {
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
export class ToastStore {
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
