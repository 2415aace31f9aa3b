import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { agentsQuery, usersQuery } from '../../api/lists';
import { Button } from '../../parts/button';
import { Choice } from '../../parts/choice';
import { FilterBar } from '../../parts/page';
import { families, type ActivityFilter } from './queries';

interface ActivityFiltersProps {
  filter: ActivityFilter;
  onFilter: (filter: ActivityFilter) => void;
  children: ReactNode;
}

export function ActivityFilters({ filter, onFilter, children }: ActivityFiltersProps) {
  const users = useQuery(usersQuery).data ?? [];
  const agents = useQuery(agentsQuery).data ?? [];
  const actors = [...users, ...agents].map(({ id, name }) => [id, name] as const);
  return (
    <FilterBar end={children}>
      <Choice
        label="Who did it"
        any="Anyone"
        value={filter.actorId}
        options={actors}
        onChange={(actorId) => onFilter({ ...filter, actorId })}
      />
      <Choice
        label="What it is about"
        any="Everything"
        value={filter.type}
        options={families as readonly (readonly [string, string])[]}
        onChange={(type) => onFilter({ ...filter, type })}
      />
      {(filter.type !== undefined || filter.actorId !== undefined) && (
        <Button small look="quiet" onClick={() => onFilter({})}>
          Clear
        </Button>
      )}
    </FilterBar>
  );
}
