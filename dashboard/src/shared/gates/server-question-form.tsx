import { fieldErrors } from '../../api/field-errors';
import { Button, Buttons } from '../../parts/button';
import { SelectField, TextField } from '../../parts/field';
import { answerTo, withdrawalOf, type AnswerProps } from './answers';
import { fieldsOf, filledIn, pathIn, type FormField } from './form-fields';
import { useDraft } from '../../session/draft';
import { useAct } from './use-act';

/** Fills in the form that an MCP server asks for while an agent calls it, or declines to. */
export function ServerQuestionForm({ gate }: AnswerProps) {
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
  /** Why the service refused the value. */
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

function Control({ field, error, value, onChange }: ControlProps) {
  const label = field.required ? field.label : `${field.label} (optional)`;
  if (field.choices.length === 0)
    return (
      <TextField
        label={label}
        hint={field.hint}
        error={error}
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
