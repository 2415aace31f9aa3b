import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import { labelsQuery } from '../../api/lists';
import type { IssueLabel } from '../../api/types';
import { Choices, ChooserDialog } from '../../parts/chooser';
import { matching, type Option } from '../../parts/chooser-list';
import { sayNumber } from '../../parts/count';
import { announceRefusal } from '../../parts/toasts';
import { LabelDot } from '../../parts/status';

/** Labels that issues get and lose, whatever others they have. */
export interface Relabelling {
  added: readonly IssueLabel[];
  removed: readonly IssueLabel[];
}

interface LabelChooserProps {
  /** What is chosen: "Labels of PAY-12". */
  label: string;
  projectId: string;
  /** The issues that get the labels, with those that they have. */
  issues: readonly { labels: readonly IssueLabel[] }[];
  open: boolean;
  onClose: () => void;
  /** Called when it closes, with what was chosen and taken away, if that is anything. */
  onChange: (change: Relabelling) => void;
}

/** What a person has decided about a label: that all of the issues have it, or none. */
type Decided = ReadonlyMap<string, { label: IssueLabel; on: boolean }>;

/** Chooses the labels of one issue or of several together. What was chosen is one change, which is sent when it closes. */
export function LabelChooser({ label, projectId, issues, open, onClose, onChange }: LabelChooserProps) {
  const [decided, setDecided] = useState<Decided>(new Map());
  const having = (id: string) => issues.filter(({ labels }) => labels.some((one) => one.id === id)).length;
  const close = () => {
    const change = {
      added: [...decided.values()].filter((one) => one.on && having(one.label.id) < issues.length),
      removed: [...decided.values()].filter((one) => !one.on && having(one.label.id) > 0),
    };
    setDecided(new Map());
    onClose();
    if (change.added.length + change.removed.length > 0)
      onChange({ added: change.added.map(labelIn), removed: change.removed.map(labelIn) });
  };
  const isOn = (id: string) => decided.get(id)?.on ?? having(id) === issues.length;
  const optionOf = ({ id, name, color }: IssueLabel): Option => ({
    id,
    label: name,
    icon: 'none',
    sign: <LabelDot color={color} />,
    chosen: isOn(id),
    end:
      !decided.has(id) && having(id) > 0 && having(id) < issues.length ? (
        <span className="soft small">{`${sayNumber(having(id))} of ${sayNumber(issues.length)}`}</span>
      ) : undefined,
  });
  const decide = ({ id, name, color }: IssueLabel, on: boolean) =>
    setDecided(new Map([...decided, [id, { label: { id, name, color }, on }]]));
  return (
    <ChooserDialog open={open} onClose={close} label={label}>
      <Choosing
        label={label}
        projectId={projectId}
        optionOf={optionOf}
        onToggle={(one) => decide(one, !isOn(one.id))}
        onCreated={(one) => decide(one, true)}
        onClose={close}
      />
    </ChooserDialog>
  );
}

const labelIn = ({ label }: { label: IssueLabel }): IssueLabel => label;

interface ChoosingProps {
  label: string;
  projectId: string;
  optionOf: (label: IssueLabel) => Option;
  onToggle: (label: IssueLabel) => void;
  onCreated: (label: IssueLabel) => void;
  onClose: () => void;
}

const CREATE = 'create';

function Choosing({ label, projectId, optionOf, onToggle, onCreated, onClose }: ChoosingProps) {
  const [query, setQuery] = useState('');
  const labels = useQuery(labelsQuery(projectId));
  const create = useCreateLabel(projectId, onCreated);
  const known = labels.data ?? [];
  const name = query.trim();
  const isNew = name !== '' && labels.isSuccess && !known.some((one) => isNamed(one, name));
  const options: Option[] = [
    ...matching(known.map(optionOf), query),
    ...(isNew ? [{ id: CREATE, label: `Create the label “${name}”`, icon: 'plus' } as const] : []),
  ];
  const choose = ({ id }: Option) => {
    setQuery('');
    if (id === CREATE) return create.mutate(name);
    const one = known.find((found) => found.id === id);
    if (one) onToggle(one);
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

const isNamed = (label: IssueLabel, name: string) => label.name.toLowerCase() === name.toLowerCase();
