import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { projectsQuery } from '../../api/lists';
import { LabelsScreen } from '../../features/issues/labels/labels-screen';

export const Route = createFileRoute('/_app/p/$key/labels')({ component: Labels });

function Labels() {
  const { key } = Route.useParams();
  const project = useSuspenseQuery(projectsQuery).data.find((one) => one.key === key);
  return project && <LabelsScreen project={key} projectId={project.id} />;
}
