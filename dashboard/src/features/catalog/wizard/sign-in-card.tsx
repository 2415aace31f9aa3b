import { Link } from '@tanstack/react-router';
import type { CatalogEntryDetail } from '../../../api/types';
import { Button, buttonClass } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { ProblemNotice } from '../../../parts/notice';
import { useSignIn } from '../../../shared/mcp/sign-in';
import { signInHost } from './sign-in-host';

interface SignInCardProps {
  id: string;
  entry: CatalogEntryDetail;
  onSkip: () => void;
}

/** Leads a person to the sign-in that the server asks for, and back to this step, which then verifies. */
export function SignInCard({ id, entry, onSkip }: SignInCardProps) {
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
            <Link to="/servers/$id/credentials" params={{ id }} className={buttonClass()}>
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
