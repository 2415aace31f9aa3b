import { lazy, Suspense, useState } from 'react';
import type { Issue } from '../../../api/types';
import { Skeleton } from '../../../parts/skeleton';
import styles from './calls-section.module.css';

// The list is read when it is opened, and so is its code.
const CallList = lazy(async () => ({ default: (await import('../../../shared/calls/call-list')).CallList }));

/** The tool calls that agents made for an issue, folded: the timeline says how many there were per turn. */
export function CallsSection({ issue }: { issue: Issue }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.calls} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Tool calls</h2>
      </summary>
      {open && (
        <Suspense fallback={<Skeleton rows={3} />}>
          <CallList subject={{ kind: 'issue', id: issue.id }} />
        </Suspense>
      )}
    </details>
  );
}
