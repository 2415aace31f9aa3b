import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
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

const COPIED_MS = 2_000;

/** Copies a text. Pages without TLS have no clipboard of their own, so there the browser's old command does it. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog, which would take the focus back from anything outside it.
  (document.activeElement?.parentElement ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** Copies, and says for two seconds that it did. */
export function useCopy(): { copied: boolean; copy: (text: string) => void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return { copied, copy: (text) => void copyText(text).then(() => setCopied(true)) };
}

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy();
  return (
    <IconButton
      icon={copied ? 'check' : 'copy'}
      label={copied ? 'Copied' : label}
      small
      onClick={() => copy(text)}
    />
  );
}

/** A key cap. */
export function Key({ children }: { children: string }) {
  return <kbd className={styles.key}>{children}</kbd>;
}
