import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api/client';
import { keys } from '../../api/keys';
import { asProblem, type Problem } from '../../api/problem';
import { Brand } from '../../parts/brand';
import { Button, IconButton } from '../../parts/button';
import { TextField } from '../../parts/field';
import { Notice } from '../../parts/notice';
import { usePageTitle } from '../../parts/page';
import { toggleTheme } from '../../theme/preferences';
import styles from './login-screen.module.css';

/** Signs a person in and calls `onSignedIn`; `destination` says where they go on to. */
export function LoginScreen({
  destination,
  onSignedIn,
}: {
  destination: string | null;
  onSignedIn: () => void;
}) {
  usePageTitle('Sign in');
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
    <div className={styles.screen}>
      <main className="stack">
        <form
          className={styles.card}
          onSubmit={(event) => {
            event.preventDefault();
            if (wait === 0) login.mutate();
          }}
        >
          <Brand />
          <div>
            <h1>Sign in</h1>
            {destination && <p className="soft">You go on to {destination} afterwards.</p>}
          </div>
          {problem && <LoginProblem problem={problem} wait={wait} />}
          <TextField
            label="E-mail"
            type="email"
            name="email"
            autoComplete="username"
            required
            autoFocus
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
          <Button look="primary" type="submit" busy={login.isPending} aria-disabled={wait > 0}>
            Sign in
          </Button>
        </form>
        <p className="small soft">No account yet? An Admin makes one for you.</p>
      </main>
      <footer className="row small soft">
        {location.host}
        <IconButton icon="theme" label="Switch between light and dark" onClick={toggleTheme} />
      </footer>
    </div>
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
