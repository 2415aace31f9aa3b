import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { projectsQuery } from '../../api/lists';
import { ImportsScreen } from '../../features/imports/imports-screen';
import { Empty } from '../../parts/notice';
import { hasRole, useMe } from '../../session/me';

export const Route = createFileRoute('/_app/p/$key/imports')({ component: Imports });

function Imports() {
  const { key } = Route.useParams();
  const project = useSuspenseQuery(projectsQuery).data.find((one) => one.key === key);
  if (!hasRole(useMe(), 'Editor'))
    return (
      <Empty icon="file" title="Only Editors export a project">
        An Admin can give you this role. You still see all of its issues.
      </Empty>
    );
  return project && <ImportsScreen project={project} />;
}
