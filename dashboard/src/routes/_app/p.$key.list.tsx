import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { ListScreen, type ListView } from '../../features/issues/list/list-screen';
import {
  filterIn,
  type Grouping,
  groupings,
  type IssueFilter,
  type Sort,
  sorts,
} from '../../features/issues/queries';

interface ListSearch extends IssueFilter {
  sort?: Sort | undefined;
  group?: Grouping | undefined;
}

export const Route = createFileRoute('/_app/p/$key/list')({
  validateSearch: (search: Record<string, unknown>): ListSearch => ({
    ...filterIn(search),
    sort: sorts.find((sort) => sort === search['sort']),
    group: groupings.find((group) => group === search['group']),
  }),
  component: List,
});

const [byChange] = sorts;

function List() {
  const { key } = Route.useParams();
  const { sort = byChange, group = null, ...filter } = Route.useSearch();
  const navigate = useNavigate();
  return (
    <ListScreen
      key={key}
      project={key}
      view={{ filter, sort, group }}
      onView={(next: ListView) =>
        void navigate({
          to: '/p/$key/list',
          params: { key },
          search: {
            ...next.filter,
            sort: next.sort === byChange ? undefined : next.sort,
            group: next.group ?? undefined,
          },
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
