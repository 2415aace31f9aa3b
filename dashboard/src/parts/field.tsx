import { useId, type ComponentProps, type ReactNode } from 'react';
import { classes } from './classes';
import styles from './field.module.css';
import { Icon } from './icon';

interface Labelled {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** One line of text. `error` belongs to this field; it is announced with it. */
export function TextField({ label, hint, error, ...input }: Labelled & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(names) => <input {...names} {...input} className={styles.input} />}
    </Field>
  );
}

export function TextArea({ label, hint, error, ...area }: Labelled & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(names) => <textarea {...names} {...area} className={classes(styles.input, styles.area)} />}
    </Field>
  );
}

export function SelectField({ label, hint, error, ...select }: Labelled & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(names) => <select {...names} {...select} className={styles.input} />}
    </Field>
  );
}

interface ControlNames {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

function Field({
  label,
  hint,
  error,
  children,
}: Labelled & { children: (names: ControlNames) => ReactNode }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          <Icon name="error" small />
          {error}
        </p>
      )}
    </div>
  );
}

/** The class of a bare input, for controls that bring their own label. */
export const inputClass = styles.input!;

/** The classes of a field whose control is none of the above. */
export const fieldClasses = { field: styles.field, hint: styles.hint, error: styles.error };

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
    <fieldset className={styles.segmented}>
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
