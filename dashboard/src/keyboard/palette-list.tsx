import { Fragment, useEffect, useRef } from 'react';
import { Icon } from '../parts/icon';
import type { Action } from './action';
import styles from './command-palette.module.css';
import { ShortcutKeys } from './shortcut-keys';

interface PaletteListProps {
  id: string;
  actions: readonly Action[];
  /** Whether headings separate the groups; a list that was searched is in the order of fit instead. */
  grouped: boolean;
  chosen: number;
  onPoint: (index: number) => void;
  onPerform: (action: Action) => void;
}

export function PaletteList({ id, actions, grouped, chosen, onPoint, onPerform }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, actions]);
  if (actions.length === 0)
    return (
      <p className={styles.none} role="status">
        No command has these words.
      </p>
    );
  return (
    <div className={styles.list} id={id} role="listbox" aria-label="Commands" ref={list}>
      {actions.map((action, index) => (
        <Fragment key={action.id}>
          {grouped && action.group !== actions[index - 1]?.group && (
            <div className={styles.group} role="presentation">
              {action.group}
            </div>
          )}
          <div
            id={`${id}-${action.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className={styles.option}
            onMouseMove={() => index !== chosen && onPoint(index)}
            onClick={() => onPerform(action)}
          >
            <Icon name={action.icon} />
            <span>{action.name}</span>
            {action.shortcut && <ShortcutKeys shortcut={action.shortcut} />}
          </div>
        </Fragment>
      ))}
    </div>
  );
}
