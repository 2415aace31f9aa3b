import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../../../api/lists';
import { Chooser } from '../../../parts/chooser';
import { matching, type Option } from '../../../parts/chooser-option';
import { useMe } from '../../../session/me';
import { useIssueChange, type Assignable, type Known } from '../changes';

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
      assignee={issue.assignee}
      open={open}
      onClose={onClose}
      onAssign={(to) => change.mutate({ issue, change: { kind: 'assign', to } })}
    />
  );
}

interface AssignPickerProps {
  label: string;
  /** Who has it now; undefined where several issues are assigned together. */
  assignee: { id: string } | null | undefined;
  open: boolean;
  onClose: () => void;
  onAssign: (to: Assignable | null) => void;
}

/** Chooses an agent, a person, or neither. */
export function AssignPicker({ label, assignee, open, onClose, onAssign }: AssignPickerProps) {
  const parties = useAssignable(open);
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
function useAssignable(enabled: boolean): Assignable[] {
  const me = useMe();
  const agents = useQuery({ ...agentsQuery, enabled });
  return [
    ...(agents.data ?? []).map(({ id, name }) => ({ type: 'agent' as const, id, name })),
    { type: 'user', id: me.id, name: me.name },
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
