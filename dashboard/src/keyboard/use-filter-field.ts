import { useRef } from 'react';
import { useActions } from './use-actions';

const KEY = 'f';

/** Gives the filter field of a screen its key and its command. Spread the result on the field. */
export function useFilterField(name: string) {
  const field = useRef<HTMLInputElement>(null);
  useActions([
    {
      id: 'filter',
      name,
      icon: 'filter',
      group: 'This screen',
      shortcut: KEY,
      perform: () => field.current?.focus(),
    },
  ]);
  return { ref: field, 'aria-keyshortcuts': KEY };
}
