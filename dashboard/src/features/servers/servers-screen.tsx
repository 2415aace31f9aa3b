import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Server } from '../../api/types';
import { buttonClass } from '../../parts/button';
import { Empty, Loaded } from '../../parts/notice';
import { Icon } from '../../parts/icon';
import { MarkedText } from '../../parts/marked-text';
import { Page } from '../../parts/page';
import { Ink, ServerStatusPill, Tag } from '../../parts/status';
import { Time } from '../../parts/time';
import { serversQuery } from '../../shared/mcp/queries';
import styles from './servers-screen.module.css';

const rank = (server: Server): number => {
  if (server.status === 'error') return 0;
  if (server.missingEnv.length > 0) return 1;
  if (server.status === 'enabled') return 2;
  return 3;
};

/** Servers that fail first, then those that lack a value, then enabled ones, then disabled ones; by name within each. */
function inOrderOfNeed(servers: readonly Server[]): Server[] {
  return servers.toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}

/** All installed servers, those that need a person first. */
export function ServersScreen() {
  const servers = useQuery(serversQuery);
  return (
    <Page title="Servers" lede="MCP servers that agents can be given." actions={<InstallLink primary />}>
      <Loaded query={servers} what="The servers">
        {(rows) => (rows.length === 0 ? <NoServers /> : <ServerList servers={inOrderOfNeed(rows)} />)}
      </Loaded>
    </Page>
  );
}

function ServerList({ servers }: { servers: readonly Server[] }) {
  return (
    <ul className={styles.list} aria-label="Installed servers">
      {servers.map((server) => (
        <li key={server.id} className={styles.row}>
          <div className={styles.name}>
            <Link to="/servers/$id" params={{ id: server.id }}>
              <MarkedText text={server.name} />
            </Link>
            <span className="soft small">
              {server.transport} · {server.catalogVersion}
            </span>
          </div>
          <div className={styles.state}>
            <ServerStatusPill status={server.status} />
            <span className="soft small">
              since <Time iso={server.updatedAt} />
            </span>
          </div>
          <p className={styles.reason}>
            <Reason server={server} />
          </p>
          <div className={styles.tags}>
            {server.updateAvailable && <Tag icon="arrow">Update available</Tag>}
            {server.missingEnv.length > 0 && (
              <Tag tone="waiting" icon="shield">
                Value missing
              </Tag>
            )}
          </div>
          <Icon name="right" />
        </li>
      ))}
    </ul>
  );
}

/** Why the server is in its status, or what its last verification found. */
function Reason({ server: { status, statusReason, lastVerification } }: { server: Server }) {
  if (status === 'error') return <MarkedText text={statusReason ?? 'The server failed.'} />;
  if (status === 'disabled')
    return <span className="soft">An Admin switched it off. No agent has its tools.</span>;
  if (lastVerification === null)
    return <span className="soft">Not verified yet. Its tools are listed at the first verification.</span>;
  const passed = lastVerification.status === 'ok';
  return (
    <span className={passed ? 'soft' : undefined}>
      <Ink tone={passed ? 'resolved' : 'danger'} icon={passed ? 'resolved' : 'error'} />{' '}
      {passed ? 'Verified' : 'Verification failed'} <Time iso={lastVerification.checkedAt} />
      {passed && `, ${lastVerification.capabilities?.length ?? 0} tools`}
      {lastVerification.stale && ', before its values changed'}
    </span>
  );
}

function NoServers() {
  return (
    <Empty icon="server" title="No servers installed" actions={<InstallLink />}>
      Agents have only the platform’s own tools. Install a server from the catalogue to give them more.
    </Empty>
  );
}

function InstallLink({ primary = false }: { primary?: boolean }) {
  return (
    <Link to="/catalog" className={buttonClass({ look: primary ? 'primary' : 'plain' })}>
      <Icon name="plus" />
      Install a server
    </Link>
  );
}
