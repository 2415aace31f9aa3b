import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement } from 'react';
import { Icon, type IconName } from './icon';
import { Key } from './keys';
import styles from './menu.module.css';

export interface MenuItem {
  id: string;
  label: string;
  icon?: IconName | undefined;
  shortcut?: string | undefined;
  danger?: boolean;
  /** Marks the present choice of a menu that chooses one. */
  chosen?: boolean;
  onSelect: () => void;
}

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement;
  label: string;
  items: readonly MenuItem[];
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** A menu of actions or choices, operated by arrow keys, letters and Escape. */
export function Menu({ trigger, label, items, open, onOpenChange }: MenuProps) {
  return (
    <Base.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" className={styles.positioner}>
          <Base.Popup className={styles.popup} aria-label={label}>
            {items.map((item) => (
              <Base.Item
                key={item.id}
                className={styles.item}
                onClick={item.onSelect}
                data-danger={item.danger || undefined}
              >
                {item.icon && <Icon name={item.icon} />}
                <span className={styles.label}>{item.label}</span>
                {item.chosen && <Icon name="check" small />}
                {item.shortcut && <Key>{item.shortcut}</Key>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
