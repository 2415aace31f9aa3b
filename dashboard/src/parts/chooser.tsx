import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { IconButton } from './button';
import { ChooserList, elementOf, type Option } from './chooser-list';
import styles from './chooser.module.css';
import { classes } from './classes';
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
    <ChooserDialog open={open} onClose={onClose} label={label}>
      <Choosing label={label} {...rest} onClose={onClose} />
    </ChooserDialog>
  );
}

function Choosing({ optionsFor, onQuery, ...rest }: Omit<ChooserProps, 'open'>) {
  const [query, setQuery] = useState('');
  const type = (typed: string) => {
    setQuery(typed);
    onQuery?.(typed);
  };
  return <Choices {...rest} query={query} onQuery={type} options={optionsFor(query)} />;
}

interface ChooserDialogProps {
  open: boolean;
  onClose: () => void;
  label: string;
  /** Whether it is the whole screen on a phone: for lists that are long. */
  tall?: boolean;
  children: ReactNode;
}

/** The dialog around the choices. What is typed into them is gone when it closes. */
export function ChooserDialog({ open, onClose, label, tall = false, children }: ChooserDialogProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={classes(styles.popup, tall && styles.tall)} aria-label={label}>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ChoicesProps {
  label: string;
  placeholder: string;
  query: string;
  onQuery: (query: string) => void;
  options: readonly Option[];
  onChoose: (option: Option) => void;
  onClose: () => void;
  none: ReactNode;
  /** Whether it stays open after a choice, because several can be made. */
  stays?: boolean;
  /** Whether a request may still bring options. Enter then waits for the first one. */
  searching?: boolean;
  /** What stands below the list. */
  foot?: ReactNode;
}

/** A field and the list of what it finds: a combobox whose field keeps the focus. */
export function Choices({
  label,
  placeholder,
  query,
  onQuery,
  options,
  onChoose,
  onClose,
  none,
  stays = false,
  searching = false,
  foot,
}: ChoicesProps) {
  const [pointedId, setPointedId] = useState<string | null>(null);
  const listId = useId();
  const pointed = options.find(({ id }) => id === pointedId) ?? options[0];
  const choose = (option: Option | undefined) => {
    if (!option) return;
    if (!stays) onClose();
    onChoose(option);
  };
  const enter = useEnter(pointed, searching, choose);
  const move = (step: number) => {
    const at = pointed ? options.indexOf(pointed) : 0;
    setPointedId(options.at((at + step) % options.length)?.id ?? null);
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: enter.press,
  };
  return (
    <>
      <div className={styles.find}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={options.length > 0 ? listId : undefined}
          aria-activedescendant={pointed && elementOf(listId, pointed.id)}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          value={query}
          onChange={(event) => {
            onQuery(event.target.value);
            setPointedId(null);
            enter.forget();
          }}
          onKeyDown={(event) => {
            const act = keys[event.key];
            // Enter ends the composition of a character, where one is written in several keys.
            if (!act || event.nativeEvent.isComposing) return;
            event.preventDefault();
            act();
          }}
        />
        <IconButton icon="close" label="Close" small onClick={onClose} />
      </div>
      {options.length > 0 && (
        <ChooserList
          id={listId}
          label={label}
          options={options}
          pointed={pointed?.id}
          onPoint={setPointedId}
          onChoose={choose}
        />
      )}
      <div className={options.length > 0 ? 'sr-only' : styles.none} role="status">
        {options.length > 0 ? countOf(options.length, searching) : none}
      </div>
      {foot}
    </>
  );
}

/** Enter chooses what is pointed at. Pressed before a request has brought anything, it chooses the first that comes. */
function useEnter(
  pointed: Option | undefined,
  searching: boolean,
  choose: (option: Option | undefined) => void,
) {
  const waits = useRef(false);
  useEffect(() => {
    if (!waits.current || (!pointed && searching)) return;
    waits.current = false;
    choose(pointed);
  });
  return {
    press: () => {
      if (pointed) choose(pointed);
      else waits.current = searching;
    },
    forget: () => {
      waits.current = false;
    },
  };
}

function countOf(count: number, searching: boolean): string {
  return `${count} ${count === 1 ? 'choice' : 'choices'}${searching ? ', searching' : ''}`;
}
