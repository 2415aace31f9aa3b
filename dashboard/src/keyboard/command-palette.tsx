import { Dialog } from '@base-ui/react/dialog';
import { useId, useState } from 'react';
import { Icon } from '../parts/icon';
import type { Action } from './action';
import styles from './command-palette.module.css';
import { findActions } from './find-actions';
import { PaletteList } from './palette-list';
import { useAllActions } from './use-actions';

interface PaletteProps {
  open: boolean;
  onClose: () => void;
}

/** Finds any action by its name and performs it: the mouse-free way to everything. */
export function CommandPalette({ open, onClose }: PaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label="Commands">
          <Commands onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Commands({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const found = findActions(
    useAllActions().filter(({ id }) => id !== 'palette'),
    query,
  );
  const perform = (action: Action | undefined) => {
    if (!action) return;
    onClose();
    action.perform();
  };
  const move = (step: number) => setChosen((chosen + step + found.length) % Math.max(1, found.length));
  return (
    <>
      <div className={styles.find}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Find a command"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={found[chosen] ? `${listId}-${found[chosen].id}` : undefined}
          placeholder="What do you want to do?"
          autoComplete="off"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            const act = {
              ArrowDown: () => move(1),
              ArrowUp: () => move(-1),
              Enter: () => perform(found[chosen]),
            };
            const handler = act[event.key as keyof typeof act];
            if (!handler) return;
            event.preventDefault();
            handler();
          }}
        />
      </div>
      <PaletteList
        id={listId}
        actions={found}
        grouped={query.trim() === ''}
        chosen={chosen}
        onPoint={setChosen}
        onPerform={perform}
      />
    </>
  );
}
