import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { projectsQuery } from '../../api/lists';
import { HooksScreen } from '../../features/issues/code/hooks-screen';

export const Route = createFileRoute('/_app/p/$key/code')({ component: Code });

function Code() {
  const { key } = Route.useParams();
  const project = useSuspenseQuery(projectsQuery).data.find((one) => one.key === key);
  return project && <HooksScreen projectId={project.id} />;
}
