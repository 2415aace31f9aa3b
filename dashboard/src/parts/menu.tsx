import { Menu as Base } from '@base-ui/react/menu';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { Button, Key } from './button';
import { classes } from './classes';
import { Icon, type IconName } from './icon';
import styles from './menu.module.css';

export interface MenuItem {
  id: string;
  label: string;
  icon?: IconName | undefined;
  shortcut?: string | undefined;
  danger?: boolean;
  /** Marks the present choice of a menu that chooses one. */
  chosen?: boolean;
  /** A word at its end. */
  note?: string | undefined;
  /** Whether it is the first of those below a line. */
  begins?: boolean;
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
                className={classes(styles.item, item.begins && styles.begins)}
                onClick={item.onSelect}
                data-danger={item.danger || undefined}
              >
                {item.icon && <Icon name={item.icon} />}
                <span className={styles.label}>{item.label}</span>
                {item.note && <span className="soft small">{item.note}</span>}
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

/** The button of a menu in a bar: its words, cut where they are long, and the sign that it opens. */
export function MenuButton({ children, className, ...rest }: ComponentProps<'button'>) {
  return (
    <Button small {...rest} className={classes(styles.filter, className)}>
      <span>{children}</span>
      <Icon name="down" small />
    </Button>
  );
}

interface SeveralProps<Value extends string> {
  /** What is chosen: "Status". */
  label: string;
  /** The chosen values; none chooses all. */
  values: readonly Value[];
  /** Each value with its words, and what may stand before them. */
  options: readonly (readonly [Value, string, ReactNode?])[];
  onChange: (values: Value[]) => void;
  /** The words of the button where it does not filter, and does not say what is chosen. */
  button?: string;
}

/** One filter of a bar: a button that says what is chosen, and a menu in which several values are ticked. */
export function Several<Value extends string>({
  label,
  values,
  options,
  onChange,
  button,
}: SeveralProps<Value>) {
  const chosen = options.filter(([value]) => values.includes(value));
  // A value that the menu does not have, such as that of a retired agent, counts as well.
  const words =
    chosen.length > 2 || chosen.length < values.length
      ? `${values.length} chosen`
      : chosen.map(([, word]) => word).join(', ');
  return (
    <Base.Root>
      <Base.Trigger
        render={
          <MenuButton className={classes(button === undefined && values.length > 0 && styles.narrows)}>
            {button ?? `${label}: ${words || 'any'}`}
          </MenuButton>
        }
      />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" className={styles.positioner}>
          <Base.Popup className={styles.popup} aria-label={label}>
            {options.map(([value, word, sign]) => (
              <Base.CheckboxItem
                key={value}
                className={styles.item}
                label={word}
                checked={values.includes(value)}
                onCheckedChange={(on) =>
                  onChange(
                    options.map(([one]) => one).filter((one) => (one === value ? on : values.includes(one))),
                  )
                }
              >
                <span className={styles.box}>
                  <Base.CheckboxItemIndicator>
                    <Icon name="check" small />
                  </Base.CheckboxItemIndicator>
                </span>
                {/* The word beside it says the same. */}
                {sign && (
                  <span className={styles.sign} aria-hidden="true">
                    {sign}
                  </span>
                )}
                <span className={styles.label}>{word}</span>
              </Base.CheckboxItem>
            ))}
            {button === undefined && values.length > 0 && (
              <Base.Item className={classes(styles.item, styles.begins)} onClick={() => onChange([])}>
                <span className={styles.label}>Any</span>
              </Base.Item>
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
