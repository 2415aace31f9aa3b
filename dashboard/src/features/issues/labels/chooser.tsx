import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import { labelsQuery } from '../../../api/lists';
import type { IssueLabel } from '../../../api/types';
import { Choices, ChooserDialog } from '../../../parts/chooser';
import { matching, type Option } from '../../../parts/chooser-list';
import { announceRefusal } from '../../../parts/toasts';
import { useIssueChange } from '../changes';
import type { Known } from '../sending';
import { LabelDot } from './chips';

interface LabelChooserProps {
  issue: Known;
  open: boolean;
  onClose: () => void;
}

/** Chooses the labels of an issue. What was chosen is sent when it closes, as one change. */
export function LabelChooser({ issue, open, onClose }: LabelChooserProps) {
  const [wanted, setWanted] = useState<readonly IssueLabel[] | null>(null);
  const change = useIssueChange();
  const close = () => {
    if (wanted !== null && !isSame(wanted, issue.labels))
      change.mutate({ issue, change: { kind: 'labels', labels: wanted } });
    setWanted(null);
    onClose();
  };
  const label = `Labels of ${issue.key}`;
  return (
    <ChooserDialog open={open} onClose={close} label={label}>
      <Choosing
        label={label}
        projectId={issue.projectId}
        chosen={wanted ?? issue.labels}
        onChoose={setWanted}
        onClose={close}
      />
    </ChooserDialog>
  );
}

interface ChoosingProps {
  label: string;
  projectId: string;
  chosen: readonly IssueLabel[];
  onChoose: (labels: readonly IssueLabel[]) => void;
  onClose: () => void;
}

const CREATE = 'create';

function Choosing({ label, projectId, chosen, onChoose, onClose }: ChoosingProps) {
  const [query, setQuery] = useState('');
  const labels = useQuery(labelsQuery(projectId));
  const create = useCreateLabel(projectId, (made) => onChoose([...chosen, made]));
  const known = labels.data ?? [];
  const name = query.trim();
  const isNew = name !== '' && labels.isSuccess && !known.some((one) => isNamed(one, name));
  const options: Option[] = [
    ...matching(
      known.map((one) => optionOf(one, chosen)),
      query,
    ),
    ...(isNew ? [{ id: CREATE, label: `Create the label “${name}”`, icon: 'plus' } as const] : []),
  ];
  const choose = ({ id }: Option) => {
    setQuery('');
    if (id === CREATE) return create.mutate(name);
    const one = known.find((found) => found.id === id);
    if (one) onChoose(toggled(chosen, one));
  };
  return (
    <Choices
      label={label}
      placeholder="Names of labels, also of new ones"
      query={query}
      onQuery={setQuery}
      options={options}
      onChoose={choose}
      onClose={onClose}
      stays
      searching={labels.isPending}
      none={labels.isPending ? 'Reading labels …' : 'The project has no labels. Type a name to create one.'}
    />
  );
}

/** Creates a label in grey: the page of labels gives it a colour. */
function useCreateLabel(projectId: string, onDone: (label: IssueLabel) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      bodyOf(
        api.POST('/api/projects/{projectId}/labels', { params: { path: { projectId } }, body: { name } }),
      ),
    onSuccess: (label) => {
      onDone(label);
      return client.invalidateQueries({ queryKey: keys.labels });
    },
    onError: (error, name) => announceRefusal(`The label ${name} was not created`, error),
  });
}

const optionOf = ({ id, name, color }: IssueLabel, chosen: readonly IssueLabel[]): Option => ({
  id,
  label: name,
  icon: 'none',
  sign: <LabelDot color={color} />,
  chosen: chosen.some((one) => one.id === id),
});

const isNamed = (label: IssueLabel, name: string) => label.name.toLowerCase() === name.toLowerCase();

function toggled(chosen: readonly IssueLabel[], { id, name, color }: IssueLabel): IssueLabel[] {
  const others = chosen.filter((one) => one.id !== id);
  return others.length < chosen.length ? others : [...others, { id, name, color }];
}

const isSame = (some: readonly IssueLabel[], others: readonly IssueLabel[]): boolean =>
  some.length === others.length && some.every(({ id }) => others.some((one) => one.id === id));
