import { fieldErrors } from '../../api/problem';
import { Button, Buttons } from '../../parts/button';
import { SelectField, TextField } from '../../parts/field';
import { useDraft } from '../../session/draft';
import { type AnswerProps, answerTo, useAct, withdrawalOf } from './answers';

/** A field of the form that an MCP server asks to be filled in. */
interface FormField {
  /** Where its value goes in the answer; two names where several questions are answered together. */
  path: readonly string[];
  label: string;
  hint: string;
  type: string;
  required: boolean;
  /** Values with their labels; empty for a field without choices. */
  choices: readonly (readonly [value: string, label: string])[];
  initial: string;
}

type Loose = Record<string, unknown>;

/** Returns the fields of a form. The service has checked it: it has simple fields, in one level or in one per question. */
export function fieldsOf(schema: unknown, path: readonly string[] = []): FormField[] {
  const { properties = {}, required = [] } = schema as { properties?: Loose; required?: string[] };
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = value as Loose;
    if (field['type'] === 'object') return fieldsOf(field, [...path, name]);
    return {
      path: [...path, name],
      label: String(field['title'] ?? name),
      hint: [field['description'], rangeOf(field)].filter((text) => text !== undefined).join(' '),
      type: String(field['type']),
      required: required.includes(name),
      choices: choicesOf(field),
      initial: field['default'] === undefined ? '' : String(field['default']),
    };
  });
}

/** Returns where the field is in the body of the answer, as a refusal of its value names it. */
const pathIn = ({ path }: Pick<FormField, 'path'>): string => ['fields', ...path].join('.');

/** Returns the answer; an empty field is left out. @param given the text of each field, in their order */
export function filledIn(fields: readonly FormField[], given: readonly string[]): Loose {
  const filled: Loose = {};
  fields.forEach(({ path, type }, at) => {
    const text = given[at]!;
    const target = path.slice(0, -1).reduce<Loose>((into, name) => (into[name] ??= {}) as Loose, filled);
    if (text !== '') target[path.at(-1)!] = valueOf(type, text);
  });
  return filled;
}

function valueOf(type: string, text: string): unknown {
  if (type === 'boolean') return text === 'true';
  if (type === 'array') return text.split(',').map((part) => part.trim());
  return type === 'string' ? text : Number(text);
}

function choicesOf({ type, enum: values, enumNames, oneOf }: Loose): [string, string][] {
  if (type === 'boolean')
    return [
      ['true', 'Yes'],
      ['false', 'No'],
    ];
  if (Array.isArray(oneOf))
    return (oneOf as Loose[]).map((one) => [String(one['const']), String(one['title'])]);
  if (!Array.isArray(values)) return [];
  const names = Array.isArray(enumNames) ? enumNames : [];
  return values.map((value: unknown, at) => [String(value), String(names[at] ?? value)]);
}

function rangeOf({ type, items, minimum, maximum }: Loose): string | undefined {
  if (type === 'array') return `Several of these, with commas: ${choicesIn(items as Loose).join(', ')}.`;
  if (minimum === undefined && maximum === undefined) return undefined;
  return `${minimum === undefined ? '' : `At least ${String(minimum)}. `}${maximum === undefined ? '' : `At most ${String(maximum)}.`}`.trim();
}

function choicesIn({ enum: values, anyOf }: Loose): string[] {
  if (Array.isArray(values)) return values.map(String);
  return ((anyOf ?? []) as Loose[]).map((one) => String(one['const']));
}

/** Fills in the form that an MCP server asks for while an agent calls it, or declines to. */
export function ServerQuestionForm({ gate, focus = false }: AnswerProps) {
  const act = useAct();
  const fields = fieldsOf(gate.request['schema']);
  const {
    value,
    set: setGiven,
    discard,
  } = useDraft(
    `gate ${gate.id}`,
    fields.map(({ initial }) => initial),
  );
  const given = fields.map(({ initial }, at) => value[at] ?? initial);
  const errors = fieldErrors(act.error, fields.map(pathIn));
  const isComplete = fields.every(({ required }, at) => !required || given[at] !== '');
  const send = () =>
    act.mutate(answerTo(gate, 'Answer', { fields: filledIn(fields, given) }), { onSuccess: discard });
  return (
    <>
      {fields.map((field, at) => (
        <Control
          key={pathIn(field)}
          field={field}
          focus={focus && at === 0}
          error={errors.at(pathIn(field))}
          value={given[at]!}
          onChange={(next) => setGiven(given.with(at, next))}
        />
      ))}
      <Buttons label="Answers">
        <Button
          look="primary"
          busy={act.isPending}
          aria-disabled={!isComplete}
          onClick={() => isComplete && send()}
        >
          Send the answer
        </Button>
        <Button busy={act.isPending} onClick={() => act.mutate(withdrawalOf(gate), { onSuccess: discard })}>
          Decline
        </Button>
      </Buttons>
    </>
  );
}

interface ControlProps {
  field: FormField;
  focus: boolean;
  /** Why the service refused the value. */
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

function Control({ field, focus, error, value, onChange }: ControlProps) {
  const label = field.required ? field.label : `${field.label} (optional)`;
  if (field.choices.length === 0)
    return (
      <TextField
        label={label}
        hint={field.hint}
        error={error}
        autoFocus={focus}
        inputMode={field.type === 'string' || field.type === 'array' ? 'text' : 'decimal'}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  return (
    <SelectField
      label={label}
      hint={field.hint}
      error={error}
      autoFocus={focus}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">Choose…</option>
      {field.choices.map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}
