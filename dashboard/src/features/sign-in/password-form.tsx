import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api/client';
import { keys } from '../../api/keys';
import { asProblem, type Problem } from '../../api/problem';
import { Button } from '../../parts/button';
import { TextField } from '../../parts/field';
import { Notice } from '../../parts/notice';
import styles from './login-screen.module.css';

/** Signs a person in with a password. It is the second choice where a provider is the first. */
export function PasswordForm({ isFirst, onSignedIn }: { isFirst: boolean; onSignedIn: () => void }) {
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
