import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fieldErrors } from '../../api/field-errors';
import { keys } from '../../api/keys';
import type { Budget } from '../../api/types';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { SelectField, TextField } from '../../parts/field';
import { ProblemNotice } from '../../parts/notice';
import { announce } from '../../parts/toasts';
import { useDraft } from '../../session/draft';
import { bodyOfFields, fieldLabels, fieldsOf, type BudgetFields } from './budget-fields';
import { measures } from './figures';
import { saveBudget, type UsageSubject } from './queries';

interface BudgetFormProps {
  subject: UsageSubject;
  budget: Budget;
  onClose: () => void;
}

/** Sets, changes and removes a budget: a field that is left empty has no limit. */
export function BudgetForm({ subject, budget, onClose }: BudgetFormProps) {
  const client = useQueryClient();
  const {
    value: fields,
    set: setFields,
    discard,
  } = useDraft(`budget ${subject.kind} ${subject.id}`, fieldsOf(budget));
  const close = () => {
    discard();
    onClose();
  };
  const body = bodyOfFields(fields);
  const save = useMutation({
    mutationFn: () => saveBudget(subject, body),
    onSuccess: async () => {
      close();
      announce(body === null ? 'The budget is removed' : 'The budget is set');
      await client.invalidateQueries({ queryKey: keys.usage });
    },
  });
  const set = (part: Partial<BudgetFields>) => setFields({ ...fields, ...part });
  const errors = fieldErrors(save.error, measures);
  return (
    <Dialog
      open
      onClose={close}
      title="Budget"
      onSubmit={() => save.mutate()}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" type="submit" busy={save.isPending}>
            {body === null ? 'Save without a budget' : 'Save the budget'}
          </Button>
        </>
      }
    >
      <p className="soft">A field that is left empty has no limit.</p>
      {measures.map((measure, index) => (
        <TextField
          key={measure}
          label={fieldLabels[measure]}
          type="number"
          min={0}
          step="any"
          autoFocus={index === 0}
          value={fields[measure]}
          error={errors.at(measure)}
          onChange={(event) => set({ [measure]: event.target.value })}
        />
      ))}
      <SelectField
        label="Counted"
        value={fields.period}
        onChange={(event) => set({ period: event.target.value as BudgetFields['period'] })}
      >
        <option value="day">per day (UTC)</option>
        <option value="month">per month (UTC)</option>
        <option value="total">in all</option>
      </SelectField>
      {errors.elsewhere && <ProblemNotice title="The budget was not saved" error={save.error} />}
    </Dialog>
  );
}
