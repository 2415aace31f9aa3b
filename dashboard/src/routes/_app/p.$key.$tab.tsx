import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { projectsQuery } from '../../api/lists';
import type { Project } from '../../api/types';
import { ImportsScreen } from '../../features/imports/imports-screen';
import { HooksScreen } from '../../features/issues/code/hooks-screen';
import { LabelsScreen } from '../../features/issues/labels/labels-screen';
import { SchedulesScreen } from '../../features/schedules/schedules-screen';
import { Empty } from '../../parts/notice';
import { isTab } from '../../parts/page';
import { hasRole, useMe } from '../../session/me';

const names = ['code', 'imports', 'labels', 'schedules'] as const;

type Name = (typeof names)[number];

/** The tabs of a project besides its issues and its usage. Any other address below a project is that of no screen. */
export const Route = createFileRoute('/_app/p/$key/$tab')({
  params: { parse: ({ tab }) => isTab(names, tab) && { tab } },
  component: ProjectTab,
});

const tabs: Record<Name, ComponentType<{ project: Project }>> = {
  code: ({ project }) => <HooksScreen projectId={project.id} />,
  imports: Imports,
  labels: ({ project }) => <LabelsScreen project={project.key} projectId={project.id} />,
  schedules: ({ project }) => <SchedulesScreen projectId={project.id} />,
};

function ProjectTab() {
  const { key, tab } = Route.useParams();
  const project = useSuspenseQuery(projectsQuery).data.find((one) => one.key === key);
  const Tab = tabs[tab];
  return project && <Tab project={project} />;
}

function Imports({ project }: { project: Project }) {
  if (!hasRole(useMe(), 'Editor'))
    return (
      <Empty icon="file" title="Only Editors export a project">
        An Admin can give you this role. You still see all of its issues.
      </Empty>
    );
  return <ImportsScreen project={project} />;
}
