import type { ReactNode } from 'react';
import type { Variable } from '../../api/types';
import { SelectField, TextArea, TextField } from '../../parts/field';
import { MarkedText } from '../../parts/marked-text';

interface VariableFieldProps {
  variable: Variable;
  value: string;
  error?: string | undefined;
  /** Whether the server has a value already, which an empty field keeps. */
  configured?: boolean;
  onChange: (value: string) => void;
}

/** The input that fits a variable of a catalogue entry. Values of secrets are never shown. */
export function VariableField({ variable, value, error, configured = false, onChange }: VariableFieldProps) {
  const common = {
    label: variable.name,
    hint: hintOf(variable, configured, variable.isSecret ? weaknessOf(value) : null),
    error,
    value,
    required: variable.isRequired && variable.default === null && !configured,
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  if (variable.choices !== null)
    return (
      <SelectField {...common}>
        <option value="">
          {variable.default === null ? 'Choose a value' : `Default: ${variable.default}`}
        </option>
        {variable.choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </SelectField>
    );
  if (variable.format === 'file') return <TextArea {...common} rows={4} autoComplete="off" />;
  return (
    <TextField
      {...common}
      type={variable.isSecret ? 'password' : 'text'}
      autoComplete={variable.isSecret ? 'new-password' : 'off'}
      placeholder={variable.placeholder ?? variable.default ?? undefined}
    />
  );
}

/** Shorter values are not masked, because ordinary words would disappear with them (contract §3.3). */
const LEAST_MASKED = 8;

/** Returns what the masks can do for a secret that a person types; null for one that they hide well. */
export function weaknessOf(value: string): string | null {
  if (value === '') return null;
  if (value.length < LEAST_MASKED)
    return `Shorter than ${LEAST_MASKED} characters: it is not hidden in results and logs.`;
  return /^(\p{L}+|\d+)$/u.test(value) && value.length <= 16
    ? 'An ordinary word or number: wherever it occurs in a result, agents read [secret] in its place.'
    : null;
}

function hintOf(
  { description, isRequired, isSecret, format, access }: Variable,
  configured: boolean,
  weakness: string | null,
): ReactNode {
  const facts = [
    configured ? 'Set; leave it empty to keep it.' : isRequired ? null : 'Optional.',
    isSecret ? 'Secret.' : null,
    format === 'filepath' ? `Absolute path on the host, mounted to ${access}.` : null,
    format === 'file' ? 'The content of the file.' : null,
  ].filter((fact) => fact !== null);
  return (
    <>
      <MarkedText text={description} /> {facts.join(' ')}
      {weakness && <strong role="status"> {weakness}</strong>}
    </>
  );
}
