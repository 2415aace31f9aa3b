import { useId, type ComponentProps, type ReactNode } from 'react';
import { Icon } from './icon';
import styles from './field.module.css';
import { classes } from './classes';

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
