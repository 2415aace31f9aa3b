import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api/client';
import { keys } from '../../api/keys';
import { asProblem, type Problem } from '../../api/problem';
import { Button, buttonClass, IconButton } from '../../parts/button';
import { TextField } from '../../parts/field';
import { Brand } from '../../parts/icon';
import { Notice } from '../../parts/notice';
import { usePageTitle } from '../../parts/page';
import { providerUrl, signInMethodsQuery } from '../../session/me';
import { toggleTheme } from '../../theme/preferences';
import styles from './login-screen.module.css';

/** Signs a person in with a password. It is the second choice where a provider is the first. */
function PasswordForm({ isFirst, onSignedIn }: { isFirst: boolean; onSignedIn: () => void }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const login = useMutation({
    mutationFn: () => api.POST('/api/auth/login', { body: { email, password } }),
    onSuccess: async () => {
      await client.resetQueries({ queryKey: keys.me });
      onSignedIn();
    },
  });
  const problem = login.error === null ? null : asProblem(login.error);
  const wait = useCountdown(problem);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (wait === 0) login.mutate();
      }}
    >
      {problem && <LoginProblem problem={problem} wait={wait} />}
      <TextField
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        required
        autoFocus={isFirst}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button
        look={isFirst ? 'primary' : 'plain'}
        type="submit"
        busy={login.isPending}
        aria-disabled={wait > 0}
      >
        Sign in
      </Button>
    </form>
  );
}

function LoginProblem({ problem, wait }: { problem: Problem; wait: number }) {
  if (problem.status === 401)
    return (
      <Notice tone="bad">
        <p>
          <b>E-mail or password is wrong.</b> Try again, or ask an Admin for a new password.
        </p>
      </Notice>
    );
  return (
    <Notice tone="bad">
      <p>{problem.detail}</p>
      {wait > 0 && <p>You can try again in {wait} seconds.</p>}
    </Notice>
  );
}

/** Seconds until the service takes another try; 0 when it takes one now. */
function useCountdown(problem: Problem | null): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    setLeft(problem?.retryAfter ?? 0);
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1_000);
    return () => clearInterval(timer);
  }, [problem]);
  return left;
}

/** What happened and what to do, for each reason with which the service leads a browser back to the sign-in. */
const SENTENCES: Record<string, (name: string) => [string, string]> = {
  off: () => ['This service knows no other sign-in.', 'Sign in with your e-mail and password.'],
  unavailable: (name) => [
    `${name} cannot be reached.`,
    'Those who are signed in can go on. Try again in a minute, and ask your administrator if it stays away.',
  ],
  misconfigured: (name) => [
    `The sign-in with ${name} is not set up right.`,
    'Ask your administrator: the log of the service says what is wrong.',
  ],
  expired: () => [
    'This sign-in is too old, or was begun in another window.',
    'Begin again here, and finish it in the same window.',
  ],
  cancelled: (name) => [`The sign-in with ${name} was cancelled.`, 'Begin again if that was a mistake.'],
  invalid: (name) => [
    `The answer of ${name} was not accepted.`,
    'Begin again. If it happens twice, ask your administrator.',
  ],
  no_role: () => [
    'You have no role here.',
    'Ask an Admin for access: your account is in none of the groups that have one.',
  ],
  no_email: (name) => [
    `${name} sent no verified e-mail address of yours.`,
    'Confirm your address there, or ask your administrator to send it to this service.',
  ],
  email_taken: () => [
    'A user with your e-mail address is here already.',
    'Ask an Owner to join that user with your account.',
  ],
  disabled: () => ['Your user is disabled here.', 'Ask an Admin to enable it.'],
  other_person: () => ['You signed in as somebody else.', 'Confirm with the account that you use here.'],
  not_confirmed: (name) => [
    `${name} did not ask for your credentials again.`,
    'Begin again and enter them. If you were not asked for them, ask your administrator.',
  ],
};

/** Returns what happened and what to do. A word that this page does not know has a sentence too. */
function signInProblem(reason: string, name: string): [string, string] {
  const sentence = Object.hasOwn(SENTENCES, reason) ? SENTENCES[reason] : undefined;
  return (
    sentence?.(name) ?? [
      'The sign-in did not work.',
      'Begin again, and ask your administrator if it fails again.',
    ]
  );
}

/** Signs a person in and calls `onSignedIn`; `destination` says where they go on to, `problem` why they came back. */
export function LoginScreen({
  destination,
  problem,
  onSignedIn,
}: {
  destination: string | null;
  problem: string | null;
  onSignedIn: () => void;
}) {
  usePageTitle('Sign in');
  const { data: methods, isError, error } = useQuery(signInMethodsQuery);
  const provider = methods?.oidc ?? null;
  // A service that gives no answer about its methods is asked with a password, whose answer says what is wrong.
  const passwords = methods?.password ?? isError;
  return (
    <div className={styles.screen}>
      <main className="stack">
        <div className={styles.card}>
          <Brand />
          <div>
            <h1>Sign in</h1>
            {destination && <p className="soft">You go on to {destination} afterwards.</p>}
          </div>
          {problem && methods && <ProviderProblem reason={problem} name={provider?.name ?? 'The provider'} />}
          {isError && !methods && <Notice tone="bad">{error.message}</Notice>}
          {provider && (
            <a
              className={buttonClass({ look: 'primary', wraps: true })}
              href={providerUrl(provider.url, { returnTo: destination ?? '/' })}
            >
              Continue with {provider.name}
            </a>
          )}
          {provider && passwords && <p className={styles.or}>or with a password</p>}
          {passwords && <PasswordForm isFirst={provider === null} onSignedIn={onSignedIn} />}
        </div>
        <p className="small soft">
          {provider ? 'No access yet? Ask an Admin.' : 'No account yet? An Admin makes one for you.'}
        </p>
      </main>
      <footer className="row small soft">
        {location.host}
        <IconButton icon="theme" label="Switch between light and dark" onClick={toggleTheme} />
      </footer>
    </div>
  );
}

function ProviderProblem({ reason, name }: { reason: string; name: string }) {
  const [what, then] = signInProblem(reason, name);
  return (
    <Notice tone="bad">
      <p>
        <b>{what}</b> {then}
      </p>
    </Notice>
  );
}
