import { useState } from 'react';
import type { ListedIssue } from '../../../api/types';
import { Button } from '../../../parts/button';
import { AssignPicker } from '../commands/assign-chooser';
import styles from './list-screen.module.css';
import { useBulkChange } from './use-bulk-change';

/** Changes the chosen issues together. Those that the service refuses stay chosen, and the refusal is shown. */
export function BulkBar({ issues, onDone }: { issues: readonly ListedIssue[]; onDone: () => void }) {
  const [assigning, setAssigning] = useState(false);
  const bulk = useBulkChange(onDone);
  const closable = issues.filter(({ allowedTransitions }) => allowedTransitions.includes('Closed'));
  return (
    <div className={styles.bulk} role="group" aria-label="Change the chosen issues">
      <b role="status">{issues.length} chosen</b>
      <Button small icon="user" busy={bulk.isPending} onClick={() => setAssigning(true)}>
        Assign
      </Button>
      {closable.length > 0 && (
        <Button
          small
          icon="closed"
          busy={bulk.isPending}
          onClick={() => bulk.mutate({ issues: closable, change: { kind: 'status', to: 'Closed' } })}
        >
          Close {closable.length}
        </Button>
      )}
      <Button small look="quiet" onClick={onDone}>
        Choose none
      </Button>
      <AssignPicker
        label={`Assign ${issues.length} issues`}
        projectId={issues[0]!.projectId}
        assignee={undefined}
        open={assigning}
        onClose={() => setAssigning(false)}
        onAssign={(to) => bulk.mutate({ issues, change: { kind: 'assign', to } })}
      />
    </div>
  );
}
