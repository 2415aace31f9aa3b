import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { projectsQuery } from '../../api/lists';
import { SchedulesScreen } from '../../features/schedules/schedules-screen';

export const Route = createFileRoute('/_app/p/$key/schedules')({ component: Schedules });

function Schedules() {
  const { key } = Route.useParams();
  const project = useSuspenseQuery(projectsQuery).data.find((one) => one.key === key);
  return project && <SchedulesScreen projectId={project.id} />;
}
