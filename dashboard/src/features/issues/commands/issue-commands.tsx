import { useQuery } from '@tanstack/react-query';
import { agentsQuery, peopleQuery } from '../../../api/lists';
import { type Action, useActions } from '../../../keyboard/use-actions';
import { Chooser } from '../../../parts/chooser';
import { matching, type Option } from '../../../parts/chooser-list';
import { issueStatuses } from '../../../parts/status';
import { hasRole, useMe } from '../../../session/me';
import { LabelChooser } from '../../../shared/labels/chooser';
import { actionsFor, useIssueChange } from '../changes';
import type { Assignable, Known } from '../sending';
import { BlockerChooser } from './blocker-chooser';

interface AssignChooserProps {
  issue: Known;
  open: boolean;
  onClose: () => void;
}

/** Gives an issue to an agent or a person, or takes it from the one who has it. */
export function AssignChooser({ issue, open, onClose }: AssignChooserProps) {
  const change = useIssueChange();
  return (
    <AssignPicker
      label={`Assign ${issue.key}`}
      projectId={issue.projectId}
      assignee={issue.assignee}
      open={open}
      onClose={onClose}
      onAssign={(to) => change.mutate({ issue, change: { kind: 'assign', to } })}
    />
  );
}

interface AssignPickerProps {
  label: string;
  projectId: string;
  /** Who has it now; undefined where several issues are assigned together. */
  assignee: { id: string } | null | undefined;
  open: boolean;
  onClose: () => void;
  onAssign: (to: Assignable | null) => void;
}

/** Chooses an agent, a person, or neither. */
export function AssignPicker({ label, projectId, assignee, open, onClose, onAssign }: AssignPickerProps) {
  const parties = useAssignable(projectId, open);
  return (
    <Chooser
      open={open}
      onClose={onClose}
      label={label}
      placeholder={`${label} to …`}
      none="No agent and no person has these letters in the name."
      optionsFor={(query) => matching(optionsOf(parties, assignee), query)}
      onChoose={({ id }) => onAssign(parties.find((party) => party.id === id) ?? null)}
    />
  );
}

/** Agents first, then people. */
function useAssignable(projectId: string, enabled: boolean): Assignable[] {
  const agents = useQuery({ ...agentsQuery, enabled });
  const people = useQuery({ ...peopleQuery(projectId), enabled });
  return [
    ...(agents.data ?? []).map(({ id, name }) => ({ type: 'agent' as const, id, name })),
    ...(people.data ?? []).map(({ id, name }) => ({ type: 'user' as const, id, name })),
  ];
}

function optionsOf(parties: readonly Assignable[], assignee: AssignPickerProps['assignee']): Option[] {
  return [
    ...parties.map(({ type, id, name }): Option => ({
      id,
      label: name,
      icon: type === 'agent' ? 'agent' : 'user',
      group: type === 'agent' ? 'Agents' : 'People',
      chosen: assignee?.id === id,
    })),
    { id: 'none', label: 'Unassigned', icon: 'close', group: 'Without', chosen: assignee === null },
  ];
}

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
export type Command = 'move' | 'assign' | 'label' | 'block' | 'parent';

interface IssueCommandsProps {
  /** The issue that keys and the command palette are about: the one that is open, or has the focus. */
  issue: Known | null;
  command: Command | null;
  onCommand: (command: Command | null) => void;
}

/** Everything that can be done with an issue, by key and palette, with the dialogs that choose how. */
export function IssueCommands({ issue, command, onCommand }: IssueCommandsProps) {
  const change = useIssueChange();
  useActions(useCommandActions(issue, onCommand));
  if (issue === null) return null;
  const close = () => onCommand(null);
  return (
    <>
      <MoveChooser issue={issue} open={command === 'move'} onClose={close} />
      <AssignChooser issue={issue} open={command === 'assign'} onClose={close} />
      <LabelChooser
        label={`Labels of ${issue.key}`}
        projectId={issue.projectId}
        issues={[issue]}
        open={command === 'label'}
        onClose={close}
        onChange={(labels) => change.mutate({ issue, change: { kind: 'relabel', ...labels } })}
      />
      <BlockerChooser
        label={`Add a blocker to ${issue.key}`}
        projectId={issue.projectId}
        except={[issue.id]}
        open={command === 'block'}
        onClose={close}
        onChoose={(by) => change.mutate({ issue, change: { kind: 'block', by } })}
      />
      <BlockerChooser
        label={`Choose the parent of ${issue.key}`}
        projectId={issue.projectId}
        beside={issue.key}
        except={[issue.id, ...(issue.parentId === null ? [] : [issue.parentId])]}
        open={command === 'parent'}
        onClose={close}
        onChoose={(to) => change.mutate({ issue, change: { kind: 'parent', to } })}
        {...(issue.parentId !== null && {
          onNone: () => change.mutate({ issue, change: { kind: 'parent', to: null } }),
        })}
      />
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
    { id: 'label', name: `Label ${key}`, icon: 'tag', shortcut: 'l' },
    { id: 'block', name: `Add a blocker to ${key}`, icon: 'waiting', shortcut: 'b' },
    { id: 'parent', name: `Choose the parent of ${key}`, icon: 'tree', shortcut: 'u' },
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
