import { useIsMutating, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button, buttonClass } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { ProblemNotice } from '../../../parts/notice';
import { useVerify } from '../../../shared/mcp/changes';
import { serverQuery } from '../../../shared/mcp/queries';
import { VerificationRunning, VerificationView } from '../../../shared/mcp/verification-view';

interface VerifyStepProps {
  id: string;
  remote: boolean;
  /** Leaves the steps with a server that does not verify yet. */
  onSkip: () => void;
}

/** Verifies the new server as soon as it is installed, and again after each failure that a person has looked at. */
export function VerifyStep({ id, remote, onSkip }: VerifyStepProps) {
  const server = useQuery(serverQuery(id)).data;
  const verify = useVerify(id);
  const running = useIsMutating({ mutationKey: ['verify', id] }) > 0;
  const last = server?.lastVerification;
  const begun = useRef(false);
  const start = verify.mutate;
  useEffect(() => {
    if (begun.current || server === undefined || server.lastVerification !== null) return;
    begun.current = true;
    start();
  }, [server, start]);
  const failed = !running && last?.status === 'error';
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
      {failed && last && <VerificationView verification={last} remote={remote} />}
      {!running && verify.isError && (
        <ProblemNotice title="The server was not verified" error={verify.error} />
      )}
    </Card>
  );
}
