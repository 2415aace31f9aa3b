import { useIsMutating, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Server, VerificationRecord } from '../../api/types';
import { Button, buttonClass } from '../../parts/button';
import { Card, Fact, Facts } from '../../parts/card';
import { LogTable } from '../../parts/table';
import { sayNumber } from '../../parts/count';
import { MarkedText } from '../../parts/marked-text';
import { Empty, Loaded, Notice, ProblemNotice } from '../../parts/notice';
import { Pill } from '../../parts/status';
import { Time } from '../../parts/time';
import {
  useVerify,
  credentialSetsQuery,
  serverQuery,
  toolsQuery,
  verificationsQuery,
} from '../../shared/mcp/queries';
import { VerificationRunning, VerificationView } from '../../shared/mcp/verification-view';
import { withheld } from './tools/tool-states';
import styles from './verify-tab.module.css';

/** Whether the server works: what needs a decision, the last verification, the facts. */
export function VerifyTab({ id }: { id: string }) {
  const server = useQuery(serverQuery(id)).data;
  if (server === undefined) return null;
  return (
    <div className={styles.split}>
      <div className="stack">
        <Withheld server={server} />
        <VerificationCard server={server} />
        <VerificationHistory server={server} />
      </div>
      <ServerFacts server={server} />
    </div>
  );
}

function Withheld({ server: { id } }: { server: Server }) {
  const tools = withheld(useQuery(toolsQuery(id)).data ?? []);
  if (tools.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={`${tools.length} ${tools.length === 1 ? 'tool waits' : 'tools wait'} for your approval`}
    >
      <p>
        {tools
          .slice(0, 5)
          .map(({ name, state }) => `${name} (${state})`)
          .join(', ')}
        {tools.length > 5 && ` and ${tools.length - 5} more`}. Until then no agent has them.
      </p>
      <Link to="/servers/$id/$tab" params={{ id, tab: 'tools' }} className={buttonClass({ small: true })}>
        Look at the tools
      </Link>
    </Notice>
  );
}

function VerificationCard({ server }: { server: Server }) {
  const verify = useVerify(server.id);
  const running = useIsMutating({ mutationKey: ['verify', server.id] }) > 0;
  const last = server.lastVerification;
  const sets = useQuery(credentialSetsQuery(server.id)).data;
  const mustSignIn = sets?.some(({ name, state }) => name === 'default' && state === 'sign_in_needed');
  return (
    <Card
      title={running ? 'Verifying' : 'Last verification'}
      flush
      actions={
        <>
          {!running && last && (
            <span className={styles.when}>
              <Time iso={last.checkedAt} /> · {last.latencyMs} ms
              {last.stale && ' · before its values changed'}
            </span>
          )}
          {!running && last && (
            <Pill
              tone={last.status === 'ok' ? 'resolved' : 'danger'}
              icon={last.status === 'ok' ? 'resolved' : 'error'}
            >
              {last.status === 'ok' ? 'Passed' : 'Failed'}
            </Pill>
          )}
          <Button small icon="refresh" busy={running} onClick={() => verify.mutate()}>
            {last ? 'Verify again' : 'Verify'}
          </Button>
        </>
      }
    >
      {running && <VerificationRunning />}
      {!running && verify.isError && (
        <ProblemNotice title="The server was not verified" error={verify.error} />
      )}
      {!running && last && (
        <VerificationView
          verification={last}
          remote={server.transport !== 'stdio'}
          advice={mustSignIn && <SignInAdvice id={server.id} />}
        />
      )}
      {!running && !last && (
        <Empty icon="server" title="Not verified yet">
          A verification starts the server, greets it and lists its tools. It takes at most 30 seconds.
        </Empty>
      )}
    </Card>
  );
}

/** A verification uses the set `default`, and no new value helps while that has to be signed in. */
function SignInAdvice({ id }: { id: string }) {
  return (
    <>
      <p>Sign in with the set default. The server is verified then.</p>
      <Link
        to="/servers/$id/$tab"
        params={{ id, tab: 'credentials' }}
        search={{ set: 'default' }}
        className={buttonClass({ small: true })}
      >
        Sign in under Credentials
      </Link>
    </>
  );
}

/** The verifications before the last one; each opens to its steps. */
function VerificationHistory({ server }: { server: Server }) {
  const history = useQuery(verificationsQuery(server.id));
  return (
    <Loaded query={history} what="Earlier verifications">
      {(all) => {
        const earlier = all.slice(1);
        if (earlier.length === 0) return null;
        return (
          <Card title="Earlier verifications" count={earlier.length} flush>
            <LogTable
              label="Earlier verifications"
              columns={['Result', 'By', 'Took', 'Details']}
              rows={earlier}
              keyOf={({ at }) => at}
              timeOf={({ at }) => at}
              nameOf={() => 'the verification'}
              cells={(one) => <Cells one={one} />}
              details={(one) => <VerificationView verification={one} remote={server.transport !== 'stdio'} />}
            />
          </Card>
        );
      }}
    </Loaded>
  );
}

function Cells({ one: { status, by, latencyMs, details } }: { one: VerificationRecord }) {
  return (
    <>
      <td data-label="Result">
        <Pill tone={status === 'ok' ? 'resolved' : 'danger'} icon={status === 'ok' ? 'resolved' : 'error'}>
          {status === 'ok' ? 'Passed' : 'Failed'}
        </Pill>
      </td>
      <td data-label="By">{by?.name ?? <span className="soft">Not recorded</span>}</td>
      <td data-label="Took" className={styles.took}>
        {latencyMs} ms
      </td>
      <td data-label="Details" className={styles.details}>
        <MarkedText text={details} />
      </td>
    </>
  );
}

/** What is known of a server, and what it may use. */
function ServerFacts({ server }: { server: Server }) {
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
      {value === null ? <span className="soft">Not set</span> : `${sayNumber(value)} ${unit}`}
    </Fact>
  );
}
