import { useQuery } from '@tanstack/react-query';
import { createFileRoute, notFound, Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { projectsQuery } from '../../api/lists';
import { useAction } from '../../keyboard/use-actions';
import { Button } from '../../parts/button';
import { Missing } from '../../parts/notice';
import { Page, Tabs } from '../../parts/page';
import { hasRole, useMe } from '../../session/me';
import { rememberProject } from '../../shell/topbar';

export const Route = createFileRoute('/_app/p/$key')({
  loader: async ({ context, params }) => {
    const projects = await context.queryClient.ensureQueryData(projectsQuery);
    if (!projects.some(({ key }) => key === params.key)) throw notFound();
  },
  component: ProjectLayout,
  notFoundComponent: MissingProject,
});

function MissingProject() {
  const { key } = Route.useParams();
  return <Missing title={`There is no project ${key}`} to="/projects" label="All projects" />;
}

function ProjectLayout() {
  const { key } = Route.useParams();
  const project = useQuery(projectsQuery).data?.find((one) => one.key === key);
  const editable = hasRole(useMe(), 'Editor');
  const create = useAction('create-issue');
  useEffect(() => rememberProject(key), [key]);
  const newIssue = editable && (
    <Button look="primary" icon="plus" onClick={create}>
      New issue
    </Button>
  );
  return (
    <Page title={project?.name ?? key} actions={newIssue}>
      <Tabs
        label="Views of the project"
        tabs={[
          { label: 'Board', to: '/p/$key/board', params: { key } },
          { label: 'List', to: '/p/$key/list', params: { key } },
          { label: 'Graph', to: '/p/$key/graph', params: { key } },
          ...(editable ? [{ label: 'Plan', to: '/p/$key/plan', params: { key } } as const] : []),
          { label: 'Labels', to: '/p/$key/labels', params: { key } },
          ...(editable ? [{ label: 'Code', to: '/p/$key/code', params: { key } } as const] : []),
          { label: 'Schedules', to: '/p/$key/schedules', params: { key } },
          ...(editable
            ? [{ label: 'Import and export', to: '/p/$key/imports', params: { key } } as const]
            : []),
          { label: 'Usage', to: '/p/$key/usage', params: { key } },
        ]}
      />
      <Outlet />
    </Page>
  );
}
