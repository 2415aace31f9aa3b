import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Budget } from '../../api/types';
import { Button } from '../../parts/button';
import { Card } from '../../parts/card';
import { Loaded } from '../../parts/loaded';
import { Tag } from '../../parts/status';
import { BudgetForm } from './budget-form';
import styles from './budget-card.module.css';
import { measureNames, measures, sayFigure, type Measure } from './figures';
import { budgetQuery, type UsageSubject } from './queries';

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
