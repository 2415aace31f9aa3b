import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { asProblem } from '../../api/problem';
import { Button, buttonClass, IconButton } from '../../parts/button';
import { TextField } from '../../parts/field';
import { Icon } from '../../parts/icon';
import { Empty, Notice, ProblemNotice } from '../../parts/notice';
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

/** What happened and what to do, for each outcome with which a sign-in at a remote server comes back (contract §3.7). */
const SENTENCES: Record<string, [string, string]> = {
  done: ['You are signed in.', 'The server is called with this sign-in from now on.'],
  expired: [
    'This sign-in is too old, or was begun in another browser.',
    'Begin again here, and finish it in the same browser within 10 minutes.',
  ],
  cancelled: ['The sign-in was cancelled.', 'Nothing was changed. Sign in again if that was a mistake.'],
  refused: [
    'The authorization server refused the sign-in.',
    'The activity has its answer. Correct the client, there or in the values of the set, then sign in again.',
  ],
  invalid: [
    'The answer of the authorization server was not accepted.',
    'It may be of another one. Do not sign in again before you know why: the activity says what was wrong.',
  ],
  unavailable: ['The authorization server gave no usable answer.', 'Sign in again in a few minutes.'],
  forbidden: ['You are no longer an Admin.', 'Ask an Admin to sign in.'],
};

/** Returns what happened and what to do. A word that this page does not know has a sentence too. */
export function outcomeWords(outcome: string): [string, string] {
  const words = Object.hasOwn(SENTENCES, outcome) ? SENTENCES[outcome] : undefined;
  return words ?? ['The sign-in did not work.', 'Begin again, and look at the activity if it fails again.'];
}

interface SignInOutcomeProps {
  /** The word with which the sign-in came back. */
  outcome: string;
  onClose: () => void;
}

/** How a sign-in at a remote server ended. It stands above elevated mode, whose key did not survive the way there. */
export function SignInOutcome({ outcome, onClose }: SignInOutcomeProps) {
  const [what, then] = outcomeWords(outcome);
  return (
    <div className={styles.outcome}>
      <Notice tone={outcome === 'done' ? 'plain' : outcome === 'cancelled' ? 'warning' : 'bad'}>
        <p>
          <b>{what}</b> {then}{' '}
          {['refused', 'invalid'].includes(outcome) && (
            <Link to="/activity" search={{ type: 'mcp.credentials.sign_in_failed' }} className="link">
              Look at the activity
            </Link>
          )}
        </p>
      </Notice>
      <IconButton small icon="close" label="Dismiss" onClick={onClose} />
    </div>
  );
}
