import { useIsMutating, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { CatalogEntryDetail } from '../../../api/types';
import { Button, buttonClass } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { ProblemNotice } from '../../../parts/notice';
import { useVerify } from '../../../shared/mcp/changes';
import { credentialSetsQuery, serverQuery } from '../../../shared/mcp/queries';
import { VerificationRunning, VerificationView } from '../../../shared/mcp/verification-view';
import { SignInCard } from './sign-in-card';

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
            <Link to="/servers/$id/credentials" params={{ id }} className={buttonClass()}>
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
