import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Issue } from '../../../api/types';
import { usageQuery } from '../../../shared/usage/queries';
import { UsageFacts } from '../../../shared/usage/usage-figures';
import styles from './issue-facts.module.css';

const BudgetCard = lazy(async () => ({
  default: (await import('../../../shared/usage/budget-card')).BudgetCard,
}));

const DAY_MS = 86_400_000;

/** What work on an issue used since it was created, and its budget for those who may set it. */
export function IssueUsage({ issue, editable }: { issue: Issue; editable: boolean }) {
  const days = Math.ceil((Date.now() - Date.parse(issue.createdAt)) / DAY_MS) + 1;
  const row = useQuery(usageQuery({ kind: 'issue', id: issue.id }, 'issue', days)).data?.rows[0];
  return (
    <>
      {row && (
        <section>
          <h2 className={styles.heading}>Usage</h2>
          <UsageFacts usage={row} />
        </section>
      )}
      {editable && (
        <Suspense>
          <BudgetCard subject={{ kind: 'issue', id: issue.id }} />
        </Suspense>
      )}
    </>
  );
}
