import type { RefObject } from 'react';
import { useActions } from './use-actions';

/** What `j` and `k` step through on a screen. */
interface Steps {
  /** Matches the element of each row that takes the focus. */
  selector: string;
  /** What a row is: "issue". */
  noun: string;
}

const ISSUES: Steps = { selector: '[data-issue] a', noun: 'issue' };

/** `j` and `k` move the focus among the rows or cards of a screen, in the order in which they stand. */
export function useSteps(container: RefObject<HTMLElement | null>, { selector, noun }: Steps = ISSUES): void {
  const step = (by: 1 | -1) => () => {
    const rows = [...(container.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const next = at === -1 ? rows[by === 1 ? 0 : rows.length - 1] : rows[at + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  useActions([
    {
      id: 'next',
      name: `Next ${noun}`,
      icon: 'down',
      group: 'This screen',
      shortcut: 'j',
      perform: step(1),
    },
    {
      id: 'previous',
      name: `Previous ${noun}`,
      icon: 'back',
      group: 'This screen',
      shortcut: 'k',
      perform: step(-1),
    },
  ]);
}
