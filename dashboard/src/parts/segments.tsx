import { useId } from 'react';
import styles from './segments.module.css';

interface SegmentsProps<Value extends string> {
  label: string;
  /** Whether the label is for screen readers only, because the words stand beside the choice. */
  hideLabel?: boolean;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
}

/** A choice of few, all visible; it takes effect at once. */
export function Segments<Value extends string>({
  label,
  hideLabel = false,
  value,
  options,
  onChange,
}: SegmentsProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.field}>
      <legend className={hideLabel ? 'sr-only' : undefined}>{label}</legend>
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
