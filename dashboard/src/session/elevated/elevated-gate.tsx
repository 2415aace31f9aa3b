import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { asProblem } from '../../api/problem';
import { Button, buttonClass } from '../../parts/button';
import { TextField } from '../../parts/field';
import { Icon } from '../../parts/icon';
import { Empty, ProblemNotice } from '../../parts/notice';
import { hasRole, useMe, providerUrl, signInMethodsQuery } from '../me';
import { elevate, readAgain, useElevatedUntil } from './elevated-mode';
import styles from './elevated.module.css';

/**
 * Shows its content while elevated mode is on, and asks for the password otherwise. Content that was shown stays mounted
 * out of sight when the time ends, so that unsaved edits survive until it is confirmed again.
 */
export function ElevatedGate({ children }: { children: ReactNode }) {
  const me = useMe();
  const elevated = useElevatedUntil() !== null;
  const [entered, setEntered] = useState(elevated);
  useEffect(() => {
    if (elevated) setEntered(true);
  }, [elevated]);
  if (!hasRole(me, 'Admin')) return <RoleNeeded />;
  return (
    <>
      {!elevated && <ElevateForm again={entered} />}
      {(elevated || entered) && <div hidden={!elevated}>{children}</div>}
    </>
  );
}

function RoleNeeded() {
  return (
    <Empty icon="shield" title="You cannot manage servers">
      {`This needs the role Admin or above. You are ${useMe().role}. An Admin can change your role or make the change for you.`}
    </Empty>
  );
}

/** Asks a person to prove once more who they are, in the way they signed in, before servers can be managed. */
function ElevateForm({ again }: { again: boolean }) {
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

/** Survives the way to the provider and back, and nothing else: it says that a key is to be asked for. */
const ON_THE_WAY = 'awp.confirming';

/** Asks a person without a password to enter the credentials at the provider again. */
function ConfirmAtProvider({ again }: { again: boolean }) {
  const client = useQueryClient();
  const provider = useQuery(signInMethodsQuery).data?.oidc;
  const { mutate, isError, isPending, error } = useMutation({
    mutationFn: () => elevate(),
    onSuccess: () => readAgain(client),
  });
  useEffect(() => {
    if (sessionStorage.getItem(ON_THE_WAY) === null) return;
    sessionStorage.removeItem(ON_THE_WAY);
    mutate();
  }, [mutate]);
  // A person who comes back by the browser's own button has confirmed nothing, and is simply asked again.
  const failed = isError && asProblem(error).code !== 'confirmation_missing';
  return (
    <div className={styles.ask}>
      <div>
        <Icon name="shield" />
        <h1>{again ? 'Confirm again to go on' : 'Confirm who you are'}</h1>
        <p className="soft">
          {again
            ? 'The 15 minutes are over. Save what you need first: this page is left for a moment.'
            : 'Servers hold credentials and decide what agents can do. You manage them for 15 minutes.'}
        </p>
      </div>
      {failed && <ProblemNotice title="This was not confirmed" error={error} />}
      {provider && !isPending && (
        <a
          className={buttonClass({ look: 'primary', wraps: true })}
          href={providerUrl(provider.url, {
            returnTo: location.pathname + location.search,
            confirm: 'true',
          })}
          onClick={() => sessionStorage.setItem(ON_THE_WAY, 'yes')}
        >
          Confirm with {provider.name}
        </a>
      )}
    </div>
  );
}
