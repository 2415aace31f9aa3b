import { Chooser } from '../../../parts/chooser';
import { matching } from '../../../parts/chooser-option';
import { issueStatuses } from '../../../parts/status';
import { useMe } from '../../../session/me';
import { actionsFor } from '../actions';
import { useIssueChange, type Known } from '../changes';

interface MoveChooserProps {
  issue: Known;
  open: boolean;
  onClose: () => void;
}

/** The same changes that dragging a card makes, and pause or resume: only those that the service accepts now. */
export function MoveChooser({ issue, open, onClose }: MoveChooserProps) {
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
