import { useIsMutating, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Server } from '../../api/types';
import { Button, buttonClass } from '../../parts/button';
import { Card } from '../../parts/card';
import { Empty, Notice, ProblemNotice } from '../../parts/notice';
import { Pill } from '../../parts/status';
import { Time } from '../../parts/time';
import { useVerify } from '../../shared/mcp/changes';
import { credentialSetsQuery, serverQuery, toolsQuery } from '../../shared/mcp/queries';
import { VerificationRunning, VerificationView } from '../../shared/mcp/verification-view';
import { ServerFacts } from './server-facts';
import { withheld } from './tools/tool-states';
import { VerificationHistory } from './verification-history';
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
      <Link to="/servers/$id/tools" params={{ id }} className={buttonClass({ small: true })}>
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
        to="/servers/$id/credentials"
        params={{ id }}
        search={{ set: 'default' }}
        className={buttonClass({ small: true })}
      >
        Sign in under Credentials
      </Link>
    </>
  );
}
