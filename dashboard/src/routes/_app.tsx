import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createFileRoute,
  Outlet,
  redirect,
  useLocation,
  useMatches,
  useNavigate,
  useRouter,
} from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { whenSignedOut } from '../api/client';
import { keys } from '../api/keys';
import type { Project } from '../api/types';
import { type Action, useAction } from '../keyboard/use-actions';
import { LiveProvider } from '../live/live-provider';
import { attentionCountsQuery, projectsQuery } from '../api/lists';
import { hasRole, meQuery, useMe } from '../session/me';
import { Banners, HaltActions, Shell } from '../shell/shell';
import { type Destination, lastProject } from '../shell/destination';
import { PageActions } from '../shell/page-actions';
import { PersonButton, ProjectSwitch, Topbar, WhereOneIs } from '../shell/topbar';

/** Loaded when it is opened first: no screen shows it at once. */
const CreateIssue = lazy(() =>
  import('../features/issues/create-issue').then((module) => ({ default: module.CreateIssue })),
);

/** Loaded after the first screen has been drawn. */
const Palette = lazy(() =>
  import('../features/search/palette').then((module) => ({ default: module.Palette })),
);

export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context, location }) => {
    const me = await context.queryClient.ensureQueryData(meQuery);
    if (me === null) throw redirect({ to: '/login', search: { next: location.href } });
  },
  component: App,
});

function App() {
  const me = useMe();
  const projects = useQuery(projectsQuery).data ?? [];
  const project = useCurrentProject(projects) ?? lastProject(projects);
  const waiting = useQuery(attentionCountsQuery).data?.all ?? 0;
  const destinations = destinationsOf(project, { waiting, acts: hasRole(me, 'Editor') });
  useSignOut();
  return (
    <LiveProvider>
      <Shell
        me={me}
        destinations={destinations}
        topbar={
          <Topbar end={<PersonButton me={me} more={destinations.filter(({ wide }) => wide)} />}>
            <WhereOneIs destinations={destinations}>
              <ProjectSwitch projects={projects} current={project} />
            </WhereOneIs>
          </Topbar>
        }
        banners={<Banners />}
      >
        <Outlet />
      </Shell>
      <ProjectActions project={project} destinations={destinations} />
    </LiveProvider>
  );
}

/** Projects in every view, and single issues. */
const isWork = (pathname: string): boolean => /^\/(p|i|projects)(\/|$)/.test(pathname);

/** The places of the rail, in its order. */
function destinationsOf(
  project: string | null,
  { waiting, acts }: { waiting: number; acts: boolean },
): Destination[] {
  const work = project === null ? '/projects' : `/p/${project}/board`;
  return [
    {
      ...{ to: '/', icon: 'inbox' as const, shortcut: 'g n' },
      // Who may not decide anything is not alarmed by how much waits.
      ...(acts ? { label: 'Needs you', count: waiting } : { label: 'Waits for people' }),
    },
    { to: work, label: 'Work', icon: 'board', shortcut: 'g b', covers: isWork },
    { to: '/agents', label: 'Agents', icon: 'agent', shortcut: 'g a' },
    { to: '/servers', label: 'Servers', icon: 'server', shortcut: 'g s' },
    { to: '/access', label: 'Access', icon: 'access', shortcut: 'g c', wide: true },
    { to: '/activity', label: 'Activity', icon: 'activity', shortcut: 'g v', wide: true },
    { to: '/settings', label: 'Settings', icon: 'settings', shortcut: 'g e', wide: true },
  ];
}

/** The actions of every screen, with those that need a project. */
function ProjectActions({
  project,
  destinations,
}: {
  project: string | null;
  destinations: readonly Destination[];
}) {
  const me = useMe();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const { pathname } = useLocation();
  const createAgent = useAction('create-agent');
  const ofAdmins: Action[] = [
    {
      // The screen of agents has the form, and offers it by itself.
      id: 'new-agent',
      name: 'New agent',
      icon: 'plus',
      group: 'Create',
      available: hasRole(me, 'Admin') && pathname !== '/agents',
      perform: () => void navigate({ to: '/agents' }).then(createAgent),
    },
    {
      id: 'install-server',
      name: 'Install a server',
      icon: 'plus',
      group: 'Create',
      words: 'mcp catalogue add tools',
      available: hasRole(me, 'Admin'),
      perform: () => void navigate({ to: '/catalog' }),
    },
  ];
  const ofProject: Action[] =
    project === null
      ? []
      : [
          {
            id: 'create-issue',
            name: 'New issue',
            icon: 'plus',
            group: 'Create',
            shortcut: 'c',
            available: hasRole(me, 'Editor'),
            perform: () => setCreating(true),
          },
          {
            id: 'list',
            name: 'Go to the list of issues',
            icon: 'board',
            group: 'Go to',
            shortcut: 'g l',
            perform: () => void navigate({ to: '/p/$key/list', params: { key: project } }),
          },
          {
            id: 'graph',
            name: 'Go to the graph of issues',
            icon: 'tree',
            group: 'Go to',
            shortcut: 'g g',
            perform: () => void navigate({ to: '/p/$key/graph', params: { key: project } }),
          },
        ];
  return (
    <>
      <PageActions
        destinations={destinations}
        extra={[...ofProject, ...ofAdmins]}
        palette={(open, onClose) => (
          // While it is loaded, what is typed for it must be no command of the screen.
          <Suspense fallback={open && <div role="dialog" aria-label="Search and commands" aria-busy />}>
            <Palette open={open} onClose={onClose} project={project} />
          </Suspense>
        )}
      />
      <HaltActions />
      {project !== null && creating && (
        <Suspense>
          <CreateIssue project={project} open onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The key of the project in the address; null on screens that belong to none, and for one that does not exist. */
function useCurrentProject(projects: readonly Project[]): string | null {
  const params = useMatches({ select: (matches) => matches.at(-1)?.params as { key?: string } | undefined });
  const key = params?.key;
  const project = key === undefined ? null : (/^[A-Z][A-Z0-9]*(?=-\d+$)/.exec(key)?.[0] ?? key);
  return projects.some((one) => one.key === project) ? project : null;
}

/** Leads to the sign-in when the session has ended, whatever request finds out. */
function useSignOut(): void {
  const router = useRouter();
  const client = useQueryClient();
  useEffect(() => {
    whenSignedOut(() => {
      client.setQueryData(keys.me, null);
      void router.navigate({ to: '/login', search: { next: router.state.location.href } });
    });
    return () => whenSignedOut(() => undefined);
  }, [router, client]);
}
