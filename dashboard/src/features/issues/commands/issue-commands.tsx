import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import { Problem } from '../../../api/problem';
import type { Issue } from '../../../api/types';
import { type Action, useActions } from '../../../keyboard/use-actions';
import { Chooser } from '../../../parts/chooser';
import { matching, type Option } from '../../../parts/chooser-list';
import { issueStatuses } from '../../../parts/status';
import { announce, announceRefusal } from '../../../parts/toasts';
import { hasRole, useMe } from '../../../session/me';
import { actionsFor, type Known, useIssueChange } from '../changes';
import { AssignChooser } from './assign-chooser';

type Blocker = Pick<Issue, 'id' | 'key' | 'title' | 'status'>;

const SHOWN = 20;
const KEY = /^[A-Za-z][A-Za-z0-9]*-\d+$/;

/** Unfinished issues that can block another: of its project by words, of any project by their whole key. */
const blockersQuery = (projectId: string, query: string) =>
  queryOptions({
    queryKey: [...keys.issueLists, projectId, 'blockers', query.trim()],
    queryFn: () =>
      KEY.test(query.trim()) ? byKey(query.trim().toUpperCase()) : byWords(projectId, query.trim()),
  });

async function byKey(issueId: string): Promise<Blocker[]> {
  try {
    const issue = await bodyOf(api.GET('/api/projects/issues/{issueId}', { params: { path: { issueId } } }));
    return issue === undefined ? [] : [issue];
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return [];
    throw error;
  }
}

const byWords = async (projectId: string, q: string): Promise<Blocker[]> =>
  (await bodyOf(
    api.GET('/api/projects/{projectId}/issues', {
      params: {
        path: { projectId },
        query: {
          ...(q === '' ? {} : { q }),
          status: 'Open,InProgress,WaitingOnDependency,PendingReview',
          sort: '-updatedAt',
          fields: 'summary',
          limit: SHOWN,
        },
      },
    }),
  )) ?? [];

interface AddBlockerProps {
  issue: Known;
  open: boolean;
  onClose: () => void;
}

/** Makes an issue wait for another: found by words of its title, or by its whole key. */
function AddBlocker({ issue, open, onClose }: AddBlockerProps) {
  const client = useQueryClient();
  const [query, setQuery] = useState('');
  const found = useQuery({
    ...blockersQuery(issue.projectId, query),
    enabled: open,
    placeholderData: keepPreviousData,
  });
  const add = useMutation({
    mutationFn: (targetIssueId: string) =>
      api.POST('/api/projects/issues/{issueId}/links', {
        params: { path: { issueId: issue.id } },
        body: { targetIssueId, linkType: 'BlockedBy' },
      }),
    onSuccess: (_, target) => announce(`${issue.key} waits for ${target}`),
    onError: (error) => announceRefusal('The blocker was not added', error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.issues }),
  });
  const options = (found.data ?? []).filter(({ id }) => id !== issue.id).map(optionOf);
  return (
    <Chooser
      open={open}
      onClose={onClose}
      label={`Add a blocker to ${issue.key}`}
      placeholder="Words of the title, or a key like PAY-12"
      none={found.isFetching ? 'Searching …' : 'No unfinished issue has these words.'}
      optionsFor={() => options}
      onQuery={setQuery}
      onChoose={({ id }) => add.mutate(id)}
    />
  );
}

const optionOf = ({ key, title, status }: Blocker): Option => ({
  id: key,
  label: `${key} ${title}`,
  icon: issueStatuses[status].icon,
});

interface MoveChooserProps {
  issue: Known;
  open: boolean;
  onClose: () => void;
}

/** The same changes that dragging a card makes, and pause or resume: only those that the service accepts now. */
function MoveChooser({ issue, open, onClose }: MoveChooserProps) {
  const actions = actionsFor(issue, useMe());
  const change = useIssueChange();
  const options = actions.map(({ id, label, icon, change: { kind, ...rest } }) => ({
    id,
    icon,
    label: kind === 'status' && 'to' in rest ? labelOf(label, statusWord(rest.to)) : label,
  }));
  return (
    <Chooser
      open={open}
      onClose={onClose}
      label={`Move ${issue.key}`}
      placeholder={`Move ${issue.key}, now ${statusWord(issue.status).toLowerCase()}`}
      none={
        options.length === 0
          ? `${issue.key} cannot be moved from ${statusWord(issue.status).toLowerCase()}.`
          : 'No status has these letters.'
      }
      optionsFor={(query) => matching(options, query)}
      onChoose={({ id }) => {
        const action = actions.find((one) => one.id === id);
        if (action) change.mutate({ issue, change: action.change });
      }}
    />
  );
}

/** `Start: In progress`, and `Resolve` alone, because it names its status already. */
const labelOf = (label: string, status: string): string =>
  status.startsWith(label) ? label : `${label}: ${status}`;

const statusWord = (status: unknown): string => issueStatuses[status as keyof typeof issueStatuses].word;

/** What a person does with an issue after choosing how: the dialog that is open. */
export type Command = 'move' | 'assign' | 'block';

interface IssueCommandsProps {
  /** The issue that keys and the command palette are about: the one that is open, or has the focus. */
  issue: Known | null;
  command: Command | null;
  onCommand: (command: Command | null) => void;
}

/** Everything that can be done with an issue, by key and palette, with the dialogs that choose how. */
export function IssueCommands({ issue, command, onCommand }: IssueCommandsProps) {
  useActions(useCommandActions(issue, onCommand));
  if (issue === null) return null;
  const close = () => onCommand(null);
  return (
    <>
      <MoveChooser issue={issue} open={command === 'move'} onClose={close} />
      <AssignChooser issue={issue} open={command === 'assign'} onClose={close} />
      <AddBlocker issue={issue} open={command === 'block'} onClose={close} />
    </>
  );
}

function useCommandActions(issue: Known | null, onCommand: (command: Command) => void): Action[] {
  const me = useMe();
  const change = useIssueChange();
  if (issue === null || !hasRole(me, 'Editor')) return [];
  const { key } = issue;
  const dialogs = [
    { id: 'move', name: `Move ${key} to another status`, icon: 'arrow', shortcut: 'm' },
    { id: 'assign', name: `Assign ${key}`, icon: 'user', shortcut: 'a' },
    { id: 'block', name: `Add a blocker to ${key}`, icon: 'waiting', shortcut: 'b' },
  ] as const;
  return [
    ...dialogs.map((dialog): Action => ({
      ...dialog,
      id: `issue-${dialog.id}`,
      group: 'Issue',
      perform: () => onCommand(dialog.id),
    })),
    ...actionsFor(issue, me).map((action): Action => ({
      id: `issue-${action.id}`,
      name: `${action.label} ${key}`,
      icon: action.icon,
      group: 'Issue',
      ...(action.shortcut === undefined ? {} : { shortcut: action.shortcut }),
      perform: () => change.mutate({ issue, change: action.change }),
    })),
  ];
}
