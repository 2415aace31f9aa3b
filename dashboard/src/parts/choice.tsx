import { classes } from './classes';
import styles from './choice.module.css';
import { inputClass } from './field';

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
