import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { asProblem } from '../../../api/problem';
import type { CredentialSet, Server, Variable } from '../../../api/types';
import { Button } from '../../../parts/button';
import type { IconName } from '../../../parts/icon';
import { ProblemNotice } from '../../../parts/notice';
import { Pill, Tag, type Tone } from '../../../parts/status';
import { Time } from '../../../parts/time';
import { announce, announceRefusal } from '../../../parts/toasts';
import { useSignIn, useVerify } from '../../../shared/mcp/queries';
import { namesOf, type SetUsers } from '../../../shared/mcp/effective-access';
import { VariableField } from '../../../shared/mcp/variable-field';
import { adviceOn, signOf, useChangeSet, valueState, type ValueState } from '../changes';
import styles from './credentials.module.css';
import { SetMenu } from './set-menu';

/** At which authorization server a set is signed in, by whom and since when. */
function SignInFacts({ set: { signIn, state } }: { set: CredentialSet }) {
  if (signIn?.signedInAt == null) return null;
  const { authorizationServer, signedInBy, signedInAt, scope } = signIn;
  return (
    <p className="soft small">
      {state === 'sign_in_needed' || state === 'revoked' ? 'Was last signed in' : 'Signed in'} at{' '}
      <code>{authorizationServer}</code> by {signedInBy ?? 'a user who was deleted'},{' '}
      <Time iso={signedInAt} />
      {scope !== null && scope !== '' && (
        <>
          , for <code>{scope}</code>
        </>
      )}
      .
    </p>
  );
}

interface SetRowProps {
  server: Server;
  variables: readonly Variable[];
  set: CredentialSet;
  users: SetUsers | null;
  /** Whether a person signs in to the server. */
  canSignIn: boolean;
  open: boolean;
  onToggle: () => void;
}

/** One set: its state with what to do, what is set, who uses it, and below it the form for new values. */
export function SetRow({ server, variables, set, users, canSignIn, open, onToggle }: SetRowProps) {
  const signIn = useSignIn(server.id, set.name, `/servers/${server.id}/credentials?set=${set.name}`);
  const form = useId();
  const { word, icon, tone } = signOf(set);
  const advice = adviceOn(set, canSignIn);
  const needsValues = set.state === 'missing_variables' || set.state === 'revoked';
  return (
    <li className={styles.set} aria-label={`Credential set ${set.name}`}>
      <div className={styles.head}>
        <h3 className={styles.name}>{set.name}</h3>
        <Pill tone={tone} icon={icon}>
          {word}
        </Pill>
        <div className={styles.actions}>
          {set.state === 'error' && <TryAgain serverId={server.id} set={set} />}
          {canSignIn && (
            <Button
              small
              icon="user"
              look={set.state === 'sign_in_needed' ? 'primary' : 'plain'}
              busy={signIn.isPending || signIn.isSuccess}
              onClick={() => signIn.mutate()}
            >
              {set.signIn?.signedInAt ? 'Sign in again' : 'Sign in'}
              <span className="sr-only"> with {set.name}</span>
            </Button>
          )}
          {variables.length > 0 && (
            <Button
              small
              look={needsValues && !open ? 'primary' : 'plain'}
              aria-expanded={open}
              aria-controls={form}
              aria-label={`${open ? 'Close the values' : needsValues ? 'Enter values' : 'Change values'} of ${set.name}`}
              onClick={onToggle}
            >
              {open ? 'Close' : needsValues ? 'Enter values' : 'Change values'}
            </Button>
          )}
          <SetMenu serverId={server.id} set={set} users={users} />
        </div>
      </div>
      {advice && <p className={styles.advice}>{advice}</p>}
      {signIn.isError && <ProblemNotice title="The sign-in did not begin" error={signIn.error} />}
      <SignInFacts set={set} />
      <ul className={styles.facts} aria-label="Variables">
        {variables.map((variable) => (
          <li key={variable.name}>
            <ValueTag name={variable.name} state={valueState(set, variable)} />
          </li>
        ))}
      </ul>
      {users && <p className="soft small">{usedBy(users, set)}</p>}
      {open && variables.length > 0 && (
        <div id={form} className={styles.form}>
          <SetValues serverId={server.id} variables={variables} set={set} />
        </div>
      )}
    </li>
  );
}

const valueSigns: Record<ValueState, { tone: Tone; icon: IconName }> = {
  set: { tone: 'plain', icon: 'check' },
  missing: { tone: 'danger', icon: 'error' },
  default: { tone: 'plain', icon: 'none' },
  'not set': { tone: 'plain', icon: 'none' },
};

function ValueTag({ name, state }: { name: string; state: ValueState }) {
  return (
    <Tag {...valueSigns[state]}>
      <span className={styles.variableName} title={name}>
        {name}
      </span>{' '}
      {state}
    </Tag>
  );
}

function usedBy({ agents }: SetUsers, { state }: CredentialSet): string {
  if (agents.length === 0)
    return `No agent uses it.${state === 'ready' ? ' Choose it for an agent under Access.' : ''}`;
  return `Used by ${namesOf(agents)}.`;
}

/** After too many crashes the service takes a set up again only when a person says so. */
function TryAgain({ serverId, set }: { serverId: string; set: CredentialSet }) {
  const change = useChangeSet(serverId, set.name, () => undefined);
  return (
    <Button
      small
      icon="refresh"
      busy={change.isPending}
      onClick={() =>
        change.mutate({}, { onError: (error) => announceRefusal(`${set.name} was not tried again`, error) })
      }
    >
      Try again
    </Button>
  );
}

interface SetValuesProps {
  serverId: string;
  variables: readonly Variable[];
  set: CredentialSet;
}

/** New values of a set. A field that stays empty keeps what is set. */
function SetValues({ serverId, variables, set }: SetValuesProps) {
  const [values, setValues] = useState<Record<string, string>>({});
  const change = useChangeSet(serverId, set.name, () => {
    setValues({});
    announce(
      'The values are saved',
      `Processes of ${set.name} finish their calls and start again with them.`,
    );
  });
  const problem = change.isError ? asProblem(change.error) : null;
  const errorOf = (name: string) => problem?.errors.find(({ path }) => path === `envValues.${name}`)?.message;
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return (
    <form
      noValidate
      aria-label={`Values of ${set.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (given.length > 0) change.mutate(Object.fromEntries(given));
      }}
    >
      <div className="stack">
        {problem && problem.errors.length === 0 && (
          <ProblemNotice title="The values were not saved" error={problem} />
        )}
        {variables.map((variable) => (
          <div key={variable.name} className={styles.variable}>
            <VariableField
              variable={variable}
              value={values[variable.name] ?? ''}
              configured={set.configuredEnv.includes(variable.name)}
              error={errorOf(variable.name)}
              onChange={(value) => setValues({ ...values, [variable.name]: value })}
            />
            <State variable={variable} set={set} onRemove={() => change.mutate({ [variable.name]: null })} />
          </div>
        ))}
        <div className="row">
          <Button look="primary" type="submit" busy={change.isPending} aria-disabled={given.length === 0}>
            {given.length === 0
              ? 'Nothing to save'
              : given.length === 1
                ? 'Save 1 value'
                : `Save ${given.length} values`}
          </Button>
          {set.name === 'default' && change.isSuccess && given.length === 0 && <VerifyNow id={serverId} />}
        </div>
      </div>
    </form>
  );
}

/** A verification uses the set `default`, and its new values are worth nothing until one has passed. */
function VerifyNow({ id }: { id: string }) {
  const verify = useVerify(id);
  const navigate = useNavigate();
  const start = () => {
    verify.mutate();
    void navigate({ to: '/servers/$id', params: { id } });
  };
  return (
    <Button icon="refresh" onClick={start}>
      Verify now
    </Button>
  );
}

interface StateProps {
  variable: Variable;
  set: CredentialSet;
  onRemove: () => void;
}

function State({ variable, set, onRemove }: StateProps) {
  const state = valueState(set, variable);
  if (state === 'missing')
    return (
      <Tag tone="danger" icon="error">
        Missing
      </Tag>
    );
  if (state !== 'set') return <Tag icon="none">{state === 'default' ? 'Default' : 'Not set'}</Tag>;
  return (
    <>
      <Tag tone="resolved" icon="resolved">
        Set
      </Tag>
      {!variable.isRequired && (
        <Button small look="quiet" aria-label={`Remove the value of ${variable.name}`} onClick={onRemove}>
          Remove
        </Button>
      )}
    </>
  );
}
