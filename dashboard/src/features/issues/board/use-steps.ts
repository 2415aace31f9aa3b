import type { RefObject } from 'react';
import { useActions } from '../../../keyboard/use-actions';

/** `j` and `k` move the focus among the issues of a screen, in the order in which they stand. */
export function useSteps(container: RefObject<HTMLElement | null>): void {
  const step = (by: 1 | -1) => () => {
    const links = [...(container.current?.querySelectorAll<HTMLElement>('[data-issue] a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const next = at === -1 ? links[by === 1 ? 0 : links.length - 1] : links[at + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  useActions([
    { id: 'next', name: 'Next issue', icon: 'down', group: 'This screen', shortcut: 'j', perform: step(1) },
    {
      id: 'previous',
      name: 'Previous issue',
      icon: 'back',
      group: 'This screen',
      shortcut: 'k',
      perform: step(-1),
    },
  ]);
}
