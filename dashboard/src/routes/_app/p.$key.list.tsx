import { createFileRoute, useNavigate } from '@tanstack/react-router';
import type { IssueStatus, Priority } from '../../api/types';
import { ListScreen } from '../../features/issues/list/list-screen';
import type { IssueFilter } from '../../features/issues/queries';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const Route = createFileRoute('/_app/p/$key/list')({
  validateSearch: (search: Record<string, unknown>): IssueFilter => ({
    q: text(search['q']),
    status: text(search['status']) as IssueStatus | undefined,
    priority: text(search['priority']) as Priority | undefined,
    assigneeId: text(search['assigneeId']),
    goalId: text(search['goalId']),
  }),
  component: List,
});

function List() {
  const { key } = Route.useParams();
  const filter = Route.useSearch();
  const navigate = useNavigate();
  return (
    <ListScreen
      project={key}
      filter={filter}
      onFilter={(next) => void navigate({ to: '/p/$key/list', params: { key }, search: next, replace: true })}
    />
  );
}
