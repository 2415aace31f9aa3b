import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../api/problem';
import { keys } from '../../api/keys';
import type { Budget } from '../../api/types';
import { Button } from '../../parts/button';
import { Card } from '../../parts/card';
import { Dialog } from '../../parts/dialog';
import { SelectField, TextField } from '../../parts/field';
import { Loaded, ProblemNotice } from '../../parts/notice';
import { Tag } from '../../parts/status';
import { announce } from '../../parts/toasts';
import { useDraft } from '../../session/draft';
import styles from './budget-card.module.css';
import {
  bodyOfFields,
  type BudgetFields,
  fieldLabels,
  fieldsOf,
  budgetQuery,
  type Measure,
  measureNames,
  measures,
  saveBudget,
  sayFigure,
  type UsageSubject,
} from './queries';

interface BudgetFormProps {
  subject: UsageSubject;
  budget: Budget;
  onClose: () => void;
}

/** Sets, changes and removes a budget: a field that is left empty has no limit. */
function BudgetForm({ subject, budget, onClose }: BudgetFormProps) {
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
      <BudgetInputs fields={fields} onFields={setFields} errorAt={errors.at} />
      {errors.elsewhere && <ProblemNotice title="The budget was not saved" error={save.error} />}
    </Dialog>
  );
}

interface BudgetInputsProps {
  fields: BudgetFields;
  onFields: (fields: BudgetFields) => void;
  errorAt: (measure: Measure) => string | undefined;
}

/** The limits of a budget, and how they are counted. */
export function BudgetInputs({ fields, onFields, errorAt }: BudgetInputsProps) {
  return (
    <>
      {measures.map((measure, index) => (
        <TextField
          key={measure}
          label={fieldLabels[measure]}
          type="number"
          min={0}
          step="any"
          autoFocus={index === 0}
          value={fields[measure]}
          error={errorAt(measure)}
          onChange={(event) => onFields({ ...fields, [measure]: event.target.value })}
        />
      ))}
      <SelectField
        label="Counted"
        value={fields.period}
        onChange={(event) => onFields({ ...fields, period: event.target.value as BudgetFields['period'] })}
      >
        <option value="day">per day (UTC)</option>
        <option value="month">per month (UTC)</option>
        <option value="total">in all</option>
      </SelectField>
    </>
  );
}

const periods = { day: 'per day', month: 'per month', total: 'in all' } as const;

/** What happens when the budget of each kind is used up. */
const effects = {
  agent: 'all its work stops',
  project: 'all agents stop in this project',
  issue: 'the issue waits',
} as const;

/** The limits of a subject and what is used of them, with the way to change them. */
export function BudgetCard({ subject }: { subject: UsageSubject }) {
  const budget = useQuery(budgetQuery(subject));
  const [editing, setEditing] = useState(false);
  const limited = budget.data !== undefined && budget.data.period !== null;
  const edit = budget.data && (
    <Button small onClick={() => setEditing(true)}>
      {limited ? 'Change' : 'Set a budget'}
    </Button>
  );
  return (
    <Card title="Budget" actions={edit}>
      <Loaded query={budget} what="The budget">
        {(data) => (
          <>
            {limited ? (
              <Limits budget={data} />
            ) : (
              <p className="soft">None. With one, {effects[subject.kind]} until a person decides.</p>
            )}
            {editing && <BudgetForm subject={subject} budget={data} onClose={() => setEditing(false)} />}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Limits({ budget }: { budget: Budget }) {
  return (
    <div className={styles.limits}>
      {budget.stopped && (
        <p>
          <Tag tone="danger" icon="pause">
            Used up
          </Tag>{' '}
          Work has stopped. Answer the request under Needs you, or raise the limit here.
        </p>
      )}
      {measures.map((measure) => (
        <Limit key={measure} measure={measure} budget={budget} />
      ))}
    </div>
  );
}

function Limit({ measure, budget }: { measure: Measure; budget: Budget }) {
  const own = budget[measure];
  if (own === null) return null;
  const limit = own + budget.extended[measure];
  const used = budget.used[measure];
  const words = `${sayFigure(measure, used)} of ${sayFigure(measure, limit)} ${budget.period === null ? '' : periods[budget.period]}`;
  return (
    <div className={styles.limit}>
      <span>{measureNames[measure]}</span>
      <span className="soft">{words}</span>
      <progress
        value={Math.min(used, limit)}
        max={limit}
        data-full={used >= limit || undefined}
        aria-label={`${measureNames[measure]}: ${words}`}
      />
    </div>
  );
}
