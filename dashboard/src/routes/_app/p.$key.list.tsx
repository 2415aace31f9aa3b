import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { ListScreen } from '../../features/issues/list/list-screen';
import { listViewIn, searchOf } from '../../features/issues/list/list-view';

type ListSearch = Partial<ReturnType<typeof searchOf>>;

export const Route = createFileRoute('/_app/p/$key/list')({
  validateSearch: (search: Record<string, unknown>): ListSearch => searchOf(listViewIn(search)),
  component: List,
});

function List() {
  const { key } = Route.useParams();
  const view = listViewIn(Route.useSearch());
  const navigate = useNavigate();
  return (
    <ListScreen
      key={key}
      project={key}
      view={view}
      onView={(next) =>
        void navigate({
          to: '/p/$key/list',
          params: { key },
          search: searchOf(next),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
