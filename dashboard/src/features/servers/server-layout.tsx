import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { Server } from '../../api/types';
import { type Tab, Tabs, usePageTitle } from '../../parts/page';
import { ServerStatusPill, Tag } from '../../parts/status';
import { Time } from '../../parts/time';
import { MarkedText } from '../../parts/marked-text';
import { Loaded } from '../../parts/notice';
import { Missing } from '../../parts/notice';
import { effectiveAccess, indexOf } from '../../shared/mcp/effective-access';
import { accessMatrixQuery, profilesQuery, serverQuery, toolsQuery } from '../../shared/mcp/queries';
import { ServerActions } from './server-actions';
import styles from './server-layout.module.css';
import { withheld } from './tools/tool-states';

/** The head of a server's screens: its name and state, what can be done with it, and its tabs. */
export function ServerLayout({
  id,
  onRemoved,
  children,
}: {
  id: string;
  onRemoved: () => void;
  children: ReactNode;
}) {
  const server = useQuery(serverQuery(id));
  return (
    <Loaded
      query={server}
      what="The server"
      missing={<Missing title="There is no such server" to="/servers" label="All servers" />}
    >
      {(data) => (
        <>
          <Head server={data} onRemoved={onRemoved} />
          <ServerTabs server={data} />
          {children}
        </>
      )}
    </Loaded>
  );
}

function Head({ server, onRemoved }: { server: Server; onRemoved: () => void }) {
  usePageTitle(server.name);
  const waiting = withheld(useQuery(toolsQuery(server.id)).data ?? []).length;
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        <div className="row">
          <h1>
            <MarkedText text={server.name} />
          </h1>
          <ServerStatusPill status={server.status} />
          {waiting > 0 && (
            <Tag tone="waiting" icon="tool">
              {waiting} {waiting === 1 ? 'tool' : 'tools'} withheld
            </Tag>
          )}
          {server.updateAvailable && <Tag icon="arrow">Update available</Tag>}
        </div>
        <p className={styles.facts}>
          <span>
            {server.transport === 'stdio' ? 'Runs on this host' : `Remote, over ${server.transport}`}
          </span>
          <span>Version {server.catalogVersion}</span>
          <span>
            Tools begin with <code>{server.slug}__</code>
          </span>
        </p>
        {server.status === 'error' && (
          <p className={styles.reason}>
            <MarkedText text={server.statusReason ?? 'The server failed.'} />{' '}
            <span className="soft">
              Since <Time iso={server.updatedAt} />. No agent has its tools until a verification passes.
            </span>
          </p>
        )}
      </div>
      <ServerActions server={server} onRemoved={onRemoved} />
    </div>
  );
}

function ServerTabs({ server }: { server: Server }) {
  const params = { id: server.id };
  const tools = useQuery(toolsQuery(server.id)).data?.filter(({ state }) => state !== 'removed').length;
  const agents = useAgentCount(server.id);
  const tabs: Tab[] = [
    { label: 'Verify', to: '/servers/$id', params },
    { label: 'Tools', to: '/servers/$id/tools', params, count: tools },
    { label: 'Access', to: '/servers/$id/access', params, count: agents },
    { label: 'Credentials', to: '/servers/$id/credentials', params },
    { label: 'Calls', to: '/servers/$id/calls', params },
    ...(server.transport === 'stdio' ? [{ label: 'Logs', to: '/servers/$id/logs', params }] : []),
  ];
  return <Tabs label={server.name} tabs={tabs} />;
}

/** How many agents have a server, by a grant or a profile. */
function useAgentCount(serverId: string): number | undefined {
  const matrix = useQuery(accessMatrixQuery).data;
  const profiles = useQuery(profilesQuery).data;
  return useMemo(() => {
    if (!matrix || !profiles) return undefined;
    const index = indexOf(matrix, profiles);
    return matrix.agents.filter(({ id }) => effectiveAccess(index, id, serverId) !== null).length;
  }, [matrix, profiles, serverId]);
}
