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
import { createContext, use, useEffect, useState } from 'react';
import { whenSignedOut } from '../api/client';
import { keys } from '../api/keys';
import type { Project } from '../api/types';
import { type Action, useAction } from '../keyboard/use-actions';
import { LiveProvider } from '../live/live-provider';
import { later } from '../parts/later';
import { attentionCountsQuery, projectsQuery } from '../api/lists';
import { hasRole, meQuery, useMe } from '../session/me';
import { Banners, HaltActions, PageActions, Shell } from '../shell/shell';
import {
  type Destination,
  lastProject,
  PersonButton,
  ProjectSwitch,
  Topbar,
  WhereOneIs,
} from '../shell/topbar';

/** No screen shows it at once: it is read while the first one is looked at. */
const loadPalette = () => import('../features/search/palette');
const PaletteIsOpen = createContext(false);

/** While it is loaded, what is typed for it must be no command of the screen. */
function PaletteLoading() {
  return use(PaletteIsOpen) && <div role="dialog" aria-label="Search and commands" aria-busy />;
}

const Palette = later(async () => (await loadPalette()).Palette, <PaletteLoading />);

/** By then the first screen has been drawn. */
const PREPARED_AFTER_MS = 500;

/** Loaded when it is opened first: no screen shows it at once. */
const CreateIssue = later(async () => (await import('../features/issues/create-issue')).CreateIssue);

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
  const { project: here, issue } = useWhere(projects);
  const project = here ?? lastProject(projects);
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
              <ProjectSwitch projects={projects} current={here} issue={issue} />
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

/** Installed servers, and the catalogue that they come from. */
const isServers = (pathname: string): boolean => /^\/(servers|catalog)(\/|$)/.test(pathname);

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
    { to: '/servers', label: 'Servers', icon: 'server', shortcut: 'g s', covers: isServers },
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
  useEffect(() => {
    // A failure is shown when it is opened.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PREPARED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
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
          <PaletteIsOpen value={open}>
            <Palette open={open} onClose={onClose} project={project} />
          </PaletteIsOpen>
        )}
      />
      <HaltActions />
      {project !== null && creating && <CreateIssue project={project} onClose={() => setCreating(false)} />}
    </>
  );
}

/** The key of an issue, and of its project before the dash. */
const ISSUE = /^([A-Z][A-Z0-9]*)-\d+$/;

/** The project of the address, and the issue that it has open; null on screens that have none. */
function useWhere(projects: readonly Project[]): { project: string | null; issue: string | null } {
  const key = useMatches({ select: (matches) => (matches.at(-1)?.params as { key?: string })?.key });
  const inPanel = useMatches({ select: (matches) => (matches.at(-1)?.search as { issue?: string })?.issue });
  const ofIssue = key === undefined ? null : ISSUE.exec(key);
  const project = projects.find((one) => one.key === (ofIssue?.[1] ?? key));
  return { project: project?.key ?? null, issue: inPanel ?? ofIssue?.[0] ?? null };
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
