import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { agentsQuery, labelsQuery, peopleQuery, projectsQuery } from '../../../api/lists';
import type { IssueStatus, Priority } from '../../../api/types';
import { useFilterField } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { inputClass } from '../../../parts/field';
import { Several } from '../../../parts/menu';
import { FilterBar } from '../../../parts/page';
import { issueStatuses, LabelDot, PriorityIcon, priorityWord, StatusIcon } from '../../../parts/status';
import { Avatar } from '../../../parts/who';
import { useMe } from '../../../session/me';
import { filterIn, goalsQuery, type IssueFilter, isFiltered } from '../queries';
import styles from './issue-filters.module.css';

interface IssueFiltersProps {
  project: string;
  filter: IssueFilter;
  onFilter: (filter: IssueFilter) => void;
  /** Whether words and statuses narrow it too: a board has a column for each status. */
  whole?: boolean;
  /** What stands after the filters. */
  children?: ReactNode;
  end: ReactNode;
}

const priorities: Priority[] = ['urgent', 'high', 'medium', 'low', 'none'];
const statuses = Object.entries(issueStatuses) as [IssueStatus, { word: string }][];

const split = (values: string | undefined): string[] => values?.split(',') ?? [];

/** What board and list are narrowed to; it lives in the address. */
export function IssueFilters({ project, filter, onFilter, whole = false, children, end }: IssueFiltersProps) {
  const assignees = useAssignees(project);
  const goals = useQuery(goalsQuery(project)).data ?? [];
  const labels = useLabels(project);
  const set = (name: keyof IssueFilter) => (values: string[]) =>
    onFilter({ ...filter, [name]: values.length === 0 ? undefined : values.join() });
  return (
    <FilterBar end={end} many>
      {whole && <Words filter={filter} onFilter={onFilter} />}
      {whole && (
        <Several
          label="Status"
          values={split(filter.status)}
          options={statuses.map(([status, { word }]) => [
            status,
            word,
            <StatusIcon key="" status={status} />,
          ])}
          onChange={set('status')}
        />
      )}
      <Several
        label="Assignee"
        values={split(filter.assigneeId)}
        options={assignees}
        onChange={set('assigneeId')}
      />
      <Several
        label="Priority"
        values={split(filter.priority)}
        options={priorities.map((priority) => [
          priority,
          priorityWord(priority),
          <PriorityIcon key="" priority={priority} />,
        ])}
        onChange={set('priority')}
      />
      {goals.length > 0 && (
        <Several
          label="Goal"
          values={split(filter.goalId)}
          options={[...goals.map(({ id, title }) => [id, title] as const), ['none', 'No goal'] as const]}
          onChange={set('goalId')}
        />
      )}
      {labels.length > 0 && (
        <Several label="Labels" values={split(filter.label)} options={labels} onChange={set('label')} />
      )}
      {isFiltered(filter) && (
        <Button small look="quiet" icon="close" onClick={() => onFilter(filterIn({}))}>
          Clear
        </Button>
      )}
      {children}
    </FilterBar>
  );
}

/** The labels of a project, and none of them. An issue is found that has all that are chosen. */
function useLabels(project: string): (readonly [string, string, ReactNode?])[] {
  const projectId = useProjectId(project);
  const labels = useQuery({ ...labelsQuery(projectId ?? ''), enabled: projectId !== undefined }).data ?? [];
  if (labels.length === 0) return [];
  const none = ['none', 'No label'] as const;
  return [
    ...labels.map(({ id, name, color }) => [id, name, <LabelDot key="" color={color} />] as const),
    none,
  ];
}

const useProjectId = (project: string): string | undefined =>
  useQuery(projectsQuery).data?.find(({ key, id }) => key === project || id === project)?.id;

/** Who can have an issue of a project: oneself, agents, people, nobody. */
function useAssignees(project: string): (readonly [string, string, ReactNode?])[] {
  const me = useMe();
  const projectId = useProjectId(project);
  const agents = useQuery(agentsQuery).data;
  const people = useQuery({ ...peopleQuery(projectId ?? ''), enabled: projectId !== undefined }).data;
  return useMemo(() => {
    const option = (type: string) => (party: { id: string; name: string }) =>
      [party.id, party.name, <Avatar key="" party={{ type, name: party.name }} />] as const;
    return [
      ['me', 'You', <Avatar key="" party={{ type: 'user', name: me.name }} />],
      ['none', 'Unassigned', <Avatar key="" party={null} />],
      ...(agents ?? []).map(option('agent')),
      ...(people ?? []).filter(({ id }) => id !== me.id).map(option('user')),
    ];
  }, [me, agents, people]);
}

/** Words in title or description; the list follows while they are typed. */
function Words({ filter, onFilter }: Pick<IssueFiltersProps, 'filter' | 'onFilter'>) {
  const [shown, setShown] = useState(filter.q ?? '');
  const [known, setKnown] = useState(filter.q);
  const field = useFilterField('Search this list');
  // The palette changes the address from outside.
  if (known !== filter.q) {
    setKnown(filter.q);
    setShown(filter.q ?? '');
  }
  return (
    <input
      className={`${inputClass} ${styles.find}`}
      type="search"
      {...field}
      aria-label="Words in title or description"
      placeholder="Words in title or description"
      value={shown}
      onChange={({ target: { value } }) => {
        setShown(value);
        setKnown(value || undefined);
        onFilter({ ...filter, q: value || undefined });
      }}
    />
  );
}
