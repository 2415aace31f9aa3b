import { useState } from 'react';
import { Button, Buttons } from '../../parts/button';
import { TextField } from '../../parts/field';
import { fieldLabels, perUnit } from '../usage/budget-fields';
import type { Measure } from '../usage/figures';
import { answerTo, type AnswerProps } from './answers';
import { useAct } from './use-act';

/** Extends a budget that is used up by as much as a person says, or keeps the work stopped. */
export function BudgetForm({ gate, calls }: AnswerProps) {
  const act = useAct();
  const measure = gate.request['measure'] as Measure;
  const unit = perUnit[measure];
  const label = fieldLabels[measure];
  const [more, setMore] = useState(String(Number(gate.request['limit']) / unit));
  const by = Math.round(Number(more) * unit);
  return (
    <>
      <TextField
        label={`Extend by (${label[0]!.toLowerCase()}${label.slice(1)})`}
        hint="In this period only. The limit itself stays as it is."
        type="number"
        min={0}
        step="any"
        value={more}
        onChange={({ target }) => setMore(target.value)}
      />
      <Buttons label="Answers">
        <Button
          look="primary"
          busy={act.isPending}
          aria-disabled={!(by >= 1)}
          onClick={() =>
            by >= 1 && act.mutate(answerTo(gate, 'Extend the budget', { decision: 'extend', by }))
          }
        >
          Extend
        </Button>
        {calls.map((call) => (
          <Button key={call.label} busy={act.isPending} onClick={() => act.mutate(call)}>
            {call.label}
          </Button>
        ))}
      </Buttons>
    </>
  );
}
