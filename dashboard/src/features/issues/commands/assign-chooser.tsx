import { useQuery } from '@tanstack/react-query';
import { agentsQuery, peopleQuery } from '../../../api/lists';
import { Chooser } from '../../../parts/chooser';
import { matching, type Option } from '../../../parts/chooser-list';
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
