import { type ReactNode, useId } from 'react';
import styles from './choice.module.css';
import { classes } from './classes';
import { inputClass } from './field';

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

interface ChoiceProps<Value extends string> {
  /** Names the filter; it is not shown, the chosen option says what it means. */
  label: string;
  value: Value | undefined;
  /** Each value with its words. */
  options: readonly (readonly [Value, string])[];
  /** The words of "no filter". */
  any: string;
  onChange: (value: Value | undefined) => void;
}

/** One filter of a bar: a list of options, the first of which filters nothing. */
export function Choice<Value extends string>({ label, value, options, any, onChange }: ChoiceProps<Value>) {
  return (
    <select
      className={classes(inputClass, styles.choice)}
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange((event.target.value || undefined) as Value | undefined)}
    >
      <option value="">{any}</option>
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  );
}
