import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';
import { classes } from './classes';
import { Icon, type IconName } from './icon';

interface Look {
  look?: 'plain' | 'primary' | 'quiet' | 'danger' | 'danger-solid';
  small?: boolean;
  icon?: IconName | undefined;
  /** For text of unknown length, such as the name of a host: it wraps instead of running over the edge. */
  wraps?: boolean;
}

type ButtonProps = Look & ComponentProps<'button'> & { busy?: boolean };

/** A button that says what happens. While `busy`, it keeps its width and takes no second press. */
export function Button({
  look = 'plain',
  small,
  icon,
  wraps,
  busy,
  children,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={busy ? undefined : rest.onClick}
      className={classes(buttonClass({ look, small: Boolean(small), wraps: Boolean(wraps) }), className)}
    >
      {icon && <Icon name={icon} small={Boolean(small)} />}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  icon: IconName;
  label: string;
  small?: boolean;
};

/** A button that shows only an icon; `label` is its name for everyone. */
export function IconButton({ icon, label, small, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={classes(styles.button, styles.quiet, styles.iconOnly, small && styles.small, className)}
    >
      <Icon name={icon} />
    </button>
  );
}

/** The class of a button, for links that look like one. */
export function buttonClass({ look = 'plain', small, wraps }: Omit<Look, 'icon'> = {}): string {
  return classes(
    styles.button,
    look === 'primary' && styles.primary,
    look === 'quiet' && styles.quiet,
    look === 'danger' && styles.danger,
    look === 'danger-solid' && styles.dangerSolid,
    small && styles.small,
    wraps && styles.wraps,
  );
}

/** Buttons in a row that wraps; `label` names the group. */
export function Buttons({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className={styles.buttons} role={label ? 'group' : undefined} aria-label={label}>
      {children}
    </div>
  );
}
