import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { keys } from '../../api/keys';
import type { Issue, IssueStatus, ListedIssue, Priority } from '../../api/types';
import { announce, announceRefusal } from '../../parts/toasts';
import { issueStatuses } from '../../parts/status';

type Known = Issue | ListedIssue;

/** A change of an issue as a person asks for it; each is one request. */
export type IssueChange =
  | { kind: 'status'; to: IssueStatus }
  | { kind: 'pause' }
  | { kind: 'resume' }
  | { kind: 'assign'; agentId: string | null }
  | { kind: 'priority'; priority: Priority }
  | { kind: 'title'; title: string }
  | { kind: 'description'; description: string };

/** Sends a change and refreshes what shows the issue. A refusal is shown in the service's own words. */
export function useIssueChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ issue, change }: { issue: Known; change: IssueChange }) => send(issue, change),
    onSuccess: (_, { issue, change }) => announce(...done(issue, change)),
    onError: (error, { issue, change }) => announceRefusal(refused(issue, change), error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.issues }),
  });
}

function send({ id: issueId, version }: Known, change: IssueChange): Promise<unknown> {
  const params = { path: { issueId }, header: { 'If-Match': `"${version}"` } };
  switch (change.kind) {
    case 'status':
      return change.to === 'Closed'
        ? api.POST('/api/projects/issues/{issueId}/close', { params })
        : api.PUT('/api/projects/issues/{issueId}', { params, body: { status: change.to } });
    case 'pause':
      return api.POST('/api/projects/issues/{issueId}/pause', { params });
    case 'resume':
      return api.POST('/api/projects/issues/{issueId}/resume', { params });
    case 'assign':
      return api.PUT('/api/projects/issues/{issueId}', { params, body: { assignedAgentId: change.agentId } });
    case 'priority':
      return api.PUT('/api/projects/issues/{issueId}', { params, body: { priority: change.priority } });
    case 'title':
      return api.PUT('/api/projects/issues/{issueId}', { params, body: { title: change.title } });
    case 'description':
      return api.PUT('/api/projects/issues/{issueId}', { params, body: { description: change.description } });
  }
}

function done({ key }: Known, change: IssueChange): [string] {
  switch (change.kind) {
    case 'status':
      return [`${key} is now ${issueStatuses[change.to].word.toLowerCase()}`];
    case 'pause':
      return [`${key} is paused`];
    case 'resume':
      return [`${key} is resumed`];
    default:
      return [`${key} is changed`];
  }
}

function refused({ key, status }: Known, change: IssueChange): string {
  if (change.kind === 'status') return `${key} stays ${issueStatuses[status].word.toLowerCase()}`;
  return `${key} was not changed`;
}
