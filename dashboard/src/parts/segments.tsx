import { useId } from 'react';
import styles from './segments.module.css';

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
}

/** A choice of few, all visible; it takes effect at once. */
export function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.field}>
      <legend>{label}</legend>
      <div className={styles.segments}>
        {options.map(([option, words]) => (
          <label key={option}>
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChange(option)}
            />
            <span>{words}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
