import { actionGroups, type Action } from './action';

/** Whose actions they are: those of a screen win over those of the page around it. */
export type Scope = 'page' | 'screen';

/** Holds the actions of everything that is mounted. */
export class ActionRegistry {
  private readonly offers = new Map<symbol, { scope: Scope; actions: readonly Action[] }>();
  private readonly listeners = new Set<() => void>();
  private all: readonly Action[] = [];

  /** Replaces the actions that `owner` offers. */
  set(owner: symbol, scope: Scope, actions: readonly Action[]): void {
    this.offers.set(owner, { scope, actions });
    this.refresh();
  }

  remove(owner: symbol): void {
    this.offers.delete(owner);
    this.refresh();
  }

  /** The available actions by group, one per id and one per shortcut. The list is stable until something changes. */
  readonly list = (): readonly Action[] => this.all;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private refresh(): void {
    const offers = [...this.offers.values()];
    const inOrder = [
      ...offers.filter(({ scope }) => scope === 'screen'),
      ...offers.filter(({ scope }) => scope === 'page'),
    ];
    const actions = inOrder.flatMap((offer) => offer.actions).filter(({ available }) => available !== false);
    const taken = new Set<string>();
    this.all = actions
      .filter(
        ({ id, shortcut }) =>
          claim(taken, `id ${id}`) && (shortcut === undefined || claim(taken, `key ${shortcut}`)),
      )
      .toSorted((a, b) => actionGroups.indexOf(a.group) - actionGroups.indexOf(b.group));
    for (const listener of this.listeners) listener();
  }
}

function claim(taken: Set<string>, name: string): boolean {
  if (taken.has(name)) return false;
  taken.add(name);
  return true;
}
