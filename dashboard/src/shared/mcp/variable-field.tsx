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
    hint: hintOf(variable, configured),
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

function hintOf(
  { description, isRequired, isSecret, format, access }: Variable,
  configured: boolean,
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
    </>
  );
}
