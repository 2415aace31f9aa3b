import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { agentsQuery } from '../../../api/lists';
import type { CatalogEntryDetail } from '../../../api/types';
import { Button, buttonClass } from '../../../parts/button';
import { Card, Rows } from '../../../parts/card';
import { Empty, Loaded, ProblemNotice } from '../../../parts/notice';
import { Tag } from '../../../parts/status';
import { announce } from '../../../parts/toasts';
import { Who } from '../../../parts/who';
import {
  saveAccess,
  useServerRefresh,
  useSignIn,
  useVerify,
  credentialSetsQuery,
  serverQuery,
} from '../../../shared/mcp/queries';
import { VerificationRunning, VerificationView } from '../../../shared/mcp/verification-view';
import styles from './wizard.module.css';

/**
 * The host that asks for the sign-in, as far as it is known before one begins: that of the issuer in the entry, or of the
 * server itself, which chooses the authorization server. Null where the address depends on values.
 */
export function signInHost({ manifest }: Pick<CatalogEntryDetail, 'manifest'>): string | null {
  if (!('url' in manifest)) return null;
  const issuer = manifest.oauth?.['issuer'];
  const address = typeof issuer === 'string' ? issuer : manifest.url;
  // A placeholder in the host is an invalid URL.
  return URL.canParse(address) ? new URL(address).host : null;
}

interface SignInCardProps {
  id: string;
  entry: CatalogEntryDetail;
  onSkip: () => void;
}

/** Leads a person to the sign-in that the server asks for, and back to this step, which then verifies. */
function SignInCard({ id, entry, onSkip }: SignInCardProps) {
  const signIn = useSignIn(id, 'default', `/catalog/${entry.id}?server=${id}`);
  const host = signInHost(entry);
  return (
    <Card
      title="A person has to sign in"
      footer={
        <>
          <Button
            look="primary"
            icon="user"
            wraps
            busy={signIn.isPending || signIn.isSuccess}
            onClick={() => signIn.mutate()}
          >
            {host === null ? 'Sign in' : `Sign in at ${host}`}
          </Button>
          {entry.environmentVariables.length > 0 && (
            <Link to="/servers/$id/$tab" params={{ id, tab: 'credentials' }} className={buttonClass()}>
              Change the values
            </Link>
          )}
          <Button look="quiet" onClick={onSkip}>
            Leave it for later
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          Sign in with the account that the agents are to use, and agree. The browser comes back to this page,
          and the verification goes on by itself.
        </p>
        {signIn.isError && <ProblemNotice title="The sign-in did not begin" error={signIn.error} />}
      </div>
    </Card>
  );
}

interface VerifyStepProps {
  id: string;
  entry: CatalogEntryDetail;
  /** Leaves the steps with a server that does not verify yet. */
  onSkip: () => void;
}

/**
 * Verifies the new server as soon as it is installed and signed in to, and again after each failure that a person has
 * looked at.
 */
export function VerifyStep({ id, entry, onSkip }: VerifyStepProps) {
  const server = useQuery(serverQuery(id)).data;
  const sets = useQuery(credentialSetsQuery(id));
  const verify = useVerify(id);
  const running = useIsMutating({ mutationKey: ['verify', id] }) > 0;
  const last = server?.lastVerification;
  const mustSignIn = sets.data?.some(({ name, state }) => name === 'default' && state === 'sign_in_needed');
  // A failure with former values, such as one before the sign-in, says nothing about the present ones.
  const isDue = server !== undefined && !sets.isPending && !mustSignIn && (!last || last.stale === true);
  const begun = useRef(false);
  const start = verify.mutate;
  useEffect(() => {
    if (isDue && !begun.current) start();
    begun.current = isDue;
  }, [isDue, start]);
  if (mustSignIn && !running) return <SignInCard id={id} entry={entry} onSkip={onSkip} />;
  const begins = isDue && verify.isIdle;
  const failed = !running && !begins && last?.status === 'error';
  return (
    <Card
      title={failed ? 'The verification failed' : 'Verifying'}
      flush
      footer={
        failed || verify.isError ? (
          <>
            <Button look="primary" icon="refresh" onClick={() => verify.mutate()}>
              Verify again
            </Button>
            <Link to="/servers/$id/$tab" params={{ id, tab: 'credentials' }} className={buttonClass()}>
              Change the values
            </Link>
            <Button look="quiet" onClick={onSkip}>
              Leave it for later
            </Button>
          </>
        ) : undefined
      }
    >
      {!failed && !verify.isError && <VerificationRunning />}
      {failed && last && <VerificationView verification={last} remote={entry.transport !== 'stdio'} />}
      {!running && verify.isError && (
        <ProblemNotice title="The server was not verified" error={verify.error} />
      )}
    </Card>
  );
}

/** Chooses the agents that get all tools of the new server. */
export function GrantStep({ id, onDone }: { id: string; onDone: () => void }) {
  const agents = useQuery(agentsQuery);
  const refresh = useServerRefresh();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const grant = useMutation({
    mutationFn: () =>
      saveAccess(
        id,
        chosen.map((agentId) => ({ agentId, granted: true, tools: null })),
      ),
    onSuccess: async () => {
      await refresh();
      announce(chosen.length === 1 ? '1 agent has the server' : `${chosen.length} agents have the server`);
      onDone();
    },
  });
  const toggle = (agentId: string, on: boolean) =>
    setChosen(on ? [...chosen, agentId] : chosen.filter((other) => other !== agentId));
  return (
    <Card
      title="Agents that get all its tools"
      flush
      footer={
        <>
          {chosen.length > 0 && (
            <Button look="primary" busy={grant.isPending} onClick={() => grant.mutate()}>
              {chosen.length === 1 ? 'Grant to 1 agent' : `Grant to ${chosen.length} agents`}
            </Button>
          )}
          <Button onClick={onDone}>{chosen.length === 0 ? 'Grant to no agent for now' : 'Cancel'}</Button>
          <span className="soft small">Single tools are chosen under Access.</span>
        </>
      }
    >
      {grant.isError && <ProblemNotice title="No agent got the server" error={grant.error} />}
      <Loaded query={agents} what="The agents">
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="agent" title="No agents yet">
              An agent is a program of yours that asks for work. Once there is one, grant the server under
              Access.
            </Empty>
          ) : (
            <Rows label="Agents">
              {rows.map(({ id: agentId, name, disabled }) => (
                <li key={agentId}>
                  <label className={styles.choice}>
                    <input
                      type="checkbox"
                      checked={chosen.includes(agentId)}
                      onChange={(event) => toggle(agentId, event.target.checked)}
                    />
                    <Who party={{ type: 'agent', name }} />
                    {disabled && <Tag icon="disabled">Disabled</Tag>}
                  </label>
                </li>
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Card>
  );
}
