import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../../api/keys';
import type { ListedIssue } from '../../../api/types';
import { Button } from '../../../parts/button';
import { announce, announceRefusal } from '../../../parts/toasts';
import { type IssueChange, sendChange } from '../changes';
import { AssignPicker } from '../commands/assign-chooser';
import styles from './list-screen.module.css';

/** Requests at once; a person who chose fifty issues should not use up the limit per minute in one second. */
const AT_ONCE = 4;

/** Sends one change for each of several issues; the refused ones are counted and the first refusal is shown. */
function useBulkChange(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ issues, change }: { issues: readonly ListedIssue[]; change: IssueChange }) => {
      const refusals: unknown[] = [];
      for (let at = 0; at < issues.length; at += AT_ONCE) {
        const sent = issues.slice(at, at + AT_ONCE).map((issue) => sendChange(issue, change));
        for (const result of await Promise.allSettled(sent))
          if (result.status === 'rejected') refusals.push(result.reason);
      }
      return refusals;
    },
    onSuccess: (refusals, { issues }) => {
      const done = issues.length - refusals.length;
      if (done > 0) announce(`${done} ${done === 1 ? 'issue is' : 'issues are'} changed`);
      if (refusals.length > 0)
        announceRefusal(`${refusals.length} of ${issues.length} were not changed`, refusals[0]);
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.issues }),
  });
}

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
