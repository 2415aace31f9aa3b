import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { GraphScreen } from '../../features/graph/graph-screen';

interface GraphSearch {
  focus?: string | undefined;
  depth?: number | undefined;
  done?: boolean | undefined;
}

const DEPTH = 2;

export const Route = createFileRoute('/_app/p/$key/graph')({
  validateSearch: ({ focus, depth, done }: Record<string, unknown>): GraphSearch => ({
    focus: typeof focus === 'string' && focus !== '' ? focus : undefined,
    depth: typeof depth === 'number' && depth >= 1 && depth <= 6 ? Math.trunc(depth) : undefined,
    done: done === true || undefined,
  }),
  component: Graph,
});

function Graph() {
  const { key } = Route.useParams();
  const { focus, depth = DEPTH, done = false } = Route.useSearch();
  const navigate = useNavigate();
  return (
    <GraphScreen
      project={key}
      view={{ focus, depth, done }}
      onView={(view) =>
        void navigate({
          to: '/p/$key/graph',
          params: { key },
          search: {
            focus: view.focus,
            depth: view.depth === DEPTH ? undefined : view.depth,
            done: view.done || undefined,
          },
          replace: true,
        })
      }
    />
  );
}
