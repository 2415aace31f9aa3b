import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { projectsQuery } from '../../api/lists';
import { Card, Rows } from '../../parts/card';
import { Empty } from '../../parts/notice';
import { Page } from '../../parts/page';
import { Skeleton } from '../../parts/skeleton';

export const Route = createFileRoute('/_app/projects')({ component: Projects });

function Projects() {
  const projects = useQuery(projectsQuery);
  return (
    <Page title="Projects">
      {projects.isPending && <Skeleton />}
      {projects.data?.length === 0 && (
        <Empty icon="board" title="No projects yet">
          A project holds issues. An Editor creates one; then you see its board here.
        </Empty>
      )}
      {projects.data && projects.data.length > 0 && (
        <Card title="All projects" count={projects.data.length} flush>
          <Rows>
            {projects.data.map(({ id, key, name, description }) => (
              <li key={id}>
                <span className="soft mono small">{key}</span>
                <Link to="/p/$key/board" params={{ key }} className="link">
                  {name}
                </Link>
                <span className="soft clip">{description}</span>
              </li>
            ))}
          </Rows>
        </Card>
      )}
    </Page>
  );
}
