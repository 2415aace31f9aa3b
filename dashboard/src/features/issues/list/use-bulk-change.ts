import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../../api/keys';
import type { ListedIssue } from '../../../api/types';
import { announce, announceRefusal } from '../../../parts/toasts';
import { sendChange, type IssueChange } from '../changes';

/** Requests at once; a person who chose fifty issues should not use up the limit per minute in one second. */
const AT_ONCE = 4;

/** Sends one change for each of several issues; the refused ones are counted and the first refusal is shown. */
export function useBulkChange(onDone: () => void) {
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
