import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { agentsQuery } from '../../../api/lists';
import type { Priority } from '../../../api/types';
import { Choice } from '../../../parts/choice';
import { FilterBar } from '../../../parts/page';
import { priorityWord } from '../../../parts/status';
import type { IssueFilter } from '../queries';

interface IssueFiltersProps {
  filter: IssueFilter;
  onFilter: (filter: IssueFilter) => void;
  /** Filters that only one screen has, before the common ones. */
  children?: ReactNode;
  end: ReactNode;
}

const priorities: Priority[] = ['urgent', 'high', 'medium', 'low', 'none'];

/** What board and list are narrowed to; it lives in the address. */
export function IssueFilters({ filter, onFilter, children, end }: IssueFiltersProps) {
  const agents = useQuery(agentsQuery).data ?? [];
  const assignees: [string, string][] = [
    ['me', 'Assigned to you'],
    ['none', 'Unassigned'],
    ...agents.map(({ id, name }): [string, string] => [id, name]),
  ];
  return (
    <FilterBar end={end}>
      {children}
      <Choice
        label="Assignee"
        any="Anyone"
        value={filter.assigneeId}
        options={assignees}
        onChange={(assigneeId) => onFilter({ ...filter, assigneeId })}
      />
      <Choice
        label="Priority"
        any="Any priority"
        value={filter.priority}
        options={priorities.map((priority) => [priority, priorityWord(priority)] as const)}
        onChange={(priority) => onFilter({ ...filter, priority })}
      />
    </FilterBar>
  );
}
