import { Link } from '@tanstack/react-router';
import type { Server } from '../../api/types';
import { Card, Fact, Facts } from '../../parts/card';
import { MarkedText } from '../../parts/marked-text';
import { Time } from '../../parts/time';
import styles from './verify-tab.module.css';

/** What is known of a server, and what it may use. */
export function ServerFacts({ server }: { server: Server }) {
  const { lastVerification: last } = server;
  return (
    <div className="stack">
      <Card title="Server">
        <Facts>
          <Fact name="Catalogue">
            <Link to="/catalog/$id" params={{ id: server.catalogId }} className="link">
              {server.catalogId}
            </Link>
          </Fact>
          <Fact name="Version">
            {server.catalogVersion}, {server.updateAvailable ? 'an update is available' : 'up to date'}
          </Fact>
          <Fact name="Transport">{server.transport}</Fact>
          {last?.serverInfo && (
            <Fact name="Says it is">
              <MarkedText text={`${last.serverInfo.name} ${last.serverInfo.version}`} />
            </Fact>
          )}
          {last?.protocolVersion && <Fact name="Protocol">{last.protocolVersion}</Fact>}
          <Fact name="Installed">
            <Time iso={server.createdAt} />
          </Fact>
          <Fact name="Changed">
            <Time iso={server.updatedAt} />
          </Fact>
        </Facts>
      </Card>
      <Limits server={server} />
    </div>
  );
}

const whole = new Intl.NumberFormat('en');

/** A remote server has no process here, so only the time of a call is limited. */
function Limits({ server: { limits, transport } }: { server: Server }) {
  const { memoryMb, processes, openFiles, callTimeoutSeconds } = limits;
  return (
    <Card title="Limits">
      <Facts>
        {transport === 'stdio' && (
          <>
            <Limit name="Memory" value={memoryMb} unit="MiB" />
            <Limit name="Processes" value={processes} />
            <Limit name="Open files" value={openFiles} unit="per process" />
          </>
        )}
        <Limit name="Call" value={callTimeoutSeconds} unit="s without progress" />
      </Facts>
      <p className={styles.note}>A limit that is not set is as the catalogue entry or the settings say.</p>
    </Card>
  );
}

function Limit({ name, value, unit = '' }: { name: string; value: number | null; unit?: string }) {
  return (
    <Fact name={name}>
      {value === null ? <span className="soft">Not set</span> : `${whole.format(value)} ${unit}`}
    </Fact>
  );
}
