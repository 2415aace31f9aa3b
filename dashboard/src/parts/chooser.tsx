import { Dialog } from '@base-ui/react/dialog';
import { useId, useState, type ReactNode } from 'react';
import { ChooserList } from './chooser-list';
import type { Option } from './chooser-option';
import styles from './chooser.module.css';
import { Icon } from './icon';

interface ChooserProps {
  open: boolean;
  onClose: () => void;
  /** What is chosen: "Move PAY-12". */
  label: string;
  placeholder: string;
  /** The options that match what was typed, the best one first. */
  optionsFor: (query: string) => readonly Option[];
  onChoose: (option: Option) => void;
  /** Called with what is typed, where a request finds the options. */
  onQuery?: (query: string) => void;
  /** Shown in place of the list when nothing matches. */
  none: ReactNode;
}

/** A dialog to choose one of many, by typing, arrow keys or the mouse. The focus returns to what opened it. */
export function Chooser({ open, onClose, label, ...rest }: ChooserProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label={label}>
          <Choices label={label} {...rest} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Choices({
  onClose,
  label,
  placeholder,
  optionsFor,
  onChoose,
  onQuery,
  none,
}: Omit<ChooserProps, 'open'>) {
  const [query, setQuery] = useState('');
  const [pointed, setPointed] = useState(0);
  const listId = useId();
  const options = optionsFor(query);
  const choose = (option: Option | undefined) => {
    if (!option) return;
    onClose();
    onChoose(option);
  };
  const move = (step: number) => setPointed((pointed + step + options.length) % Math.max(1, options.length));
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => choose(options[pointed]),
  };
  return (
    <>
      <div className={styles.find}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={label}
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={options[pointed] ? `${listId}-${options[pointed].id}` : undefined}
          placeholder={placeholder}
          autoComplete="off"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setPointed(0);
            onQuery?.(event.target.value);
          }}
          onKeyDown={(event) => {
            const act = keys[event.key];
            if (!act) return;
            event.preventDefault();
            act();
          }}
        />
      </div>
      <ChooserList
        id={listId}
        label={label}
        options={options}
        none={none}
        pointed={pointed}
        onPoint={setPointed}
        onChoose={choose}
      />
    </>
  );
}
