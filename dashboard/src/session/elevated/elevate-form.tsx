import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { asProblem } from '../../api/problem';
import { Button } from '../../parts/button';
import { TextField } from '../../parts/field';
import { Icon } from '../../parts/icon';
import { ProblemNotice } from '../../parts/notice';
import { useMe } from '../me';
import { ConfirmAtProvider } from './confirm-at-provider';
import styles from './elevated.module.css';
import { readAgain } from './client';
import { elevate } from './store';

/** Asks a person to prove once more who they are, in the way they signed in, before servers can be managed. */
export function ElevateForm({ again }: { again: boolean }) {
  return useMe().signedInWith === 'oidc' ? (
    <ConfirmAtProvider again={again} />
  ) : (
    <PasswordForm again={again} />
  );
}

function PasswordForm({ again }: { again: boolean }) {
  const me = useMe();
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const confirm = useMutation({
    mutationFn: () => elevate(password),
    onSettled: () => setPassword(''),
    onSuccess: () => readAgain(client),
  });
  const wrong = confirm.isError && asProblem(confirm.error).code === 'wrong_password';
  return (
    <form
      className={styles.ask}
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <div>
        <Icon name="shield" />
        <h1>{again ? 'Confirm again to go on' : 'Confirm with your password'}</h1>
        <p className="soft">
          {again
            ? 'The 15 minutes are over. What you have not saved is still here.'
            : 'Servers hold credentials and decide what agents can do. You manage them for 15 minutes.'}
        </p>
      </div>
      {confirm.isError && !wrong && <ProblemNotice title="This was not confirmed" error={confirm.error} />}
      {/* Shows password managers which account the password belongs to. */}
      <input
        className="sr-only"
        name="username"
        autoComplete="username"
        readOnly
        tabIndex={-1}
        aria-hidden="true"
        value={me.email ?? ''}
      />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        autoFocus
        value={password}
        error={wrong ? 'The password is wrong. Try again.' : undefined}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button look="primary" type="submit" busy={confirm.isPending}>
        Manage servers for 15 minutes
      </Button>
    </form>
  );
}
