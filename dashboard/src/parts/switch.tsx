import { useId, type ReactNode } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Turns something on or off at once, without a button to save it. */
export function Switch({ label, hint, checked, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.switch}>
      <div>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {hint && (
          <p className={styles.hint} id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
      <button
        type="button"
        role="switch"
        id={id}
        className={styles.track}
        aria-checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onClick={() => onChange(!checked)}
      >
        <span className={styles.thumb} />
      </button>
    </div>
  );
}
