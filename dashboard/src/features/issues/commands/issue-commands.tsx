import type { Action } from '../../../keyboard/action';
import { useActions } from '../../../keyboard/use-actions';
import { useMe } from '../../../session/me';
import { hasRole } from '../../../session/roles';
import { actionsFor } from '../actions';
import { useIssueChange, type Known } from '../changes';
import { AddBlocker } from './add-blocker';
import { AssignChooser } from './assign-chooser';
import { MoveChooser } from './move-chooser';

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
