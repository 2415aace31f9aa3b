import { createFileRoute } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { AccessTab } from '../../../features/servers/access-tab';
import { CredentialsTab } from '../../../features/servers/credentials/credentials-tab';
import { LogsTab } from '../../../features/servers/logs/logs-tab';
import { ToolsTab } from '../../../features/servers/tools/tools-tab';
import { isTab } from '../../../parts/page';
import { CallsScreen } from '../../../shared/calls/call-list';

const names = ['access', 'calls', 'credentials', 'logs', 'tools'] as const;

type Name = (typeof names)[number];

/** The tabs of a server besides the first one. Any other address below a server is that of no screen. */
export const Route = createFileRoute('/_app/_elevated/servers/$id/$tab')({
  params: { parse: ({ tab }) => isTab(names, tab) && { tab } },
  validateSearch: ({ set }: Record<string, unknown>): { set?: string | undefined } => ({
    set: typeof set === 'string' ? set : undefined,
  }),
  component: ServerTab,
});

const tabs: Record<Name, ComponentType<{ id: string }>> = {
  access: AccessTab,
  calls: Calls,
  credentials: Credentials,
  logs: LogsTab,
  tools: ToolsTab,
};

function ServerTab() {
  const { id, tab } = Route.useParams();
  const Tab = tabs[tab];
  return <Tab id={id} />;
}

function Calls({ id }: { id: string }) {
  return <CallsScreen subject={{ kind: 'server', id }} />;
}

function Credentials({ id }: { id: string }) {
  const { set } = Route.useSearch();
  return <CredentialsTab key={set} id={id} chosen={set} />;
}
