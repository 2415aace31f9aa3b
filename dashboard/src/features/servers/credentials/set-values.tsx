import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asProblem } from '../../../api/problem';
import type { CredentialSet, Variable } from '../../../api/types';
import { Button } from '../../../parts/button';
import { ProblemNotice } from '../../../parts/notice';
import { Tag } from '../../../parts/status';
import { announce } from '../../../parts/toasts';
import { useVerify } from '../../../shared/mcp/queries';
import { VariableField } from '../../../shared/mcp/variable-field';
import { useChangeSet, valueState } from './changes';
import styles from './credentials.module.css';

interface SetValuesProps {
  serverId: string;
  variables: readonly Variable[];
  set: CredentialSet;
}

/** New values of a set. A field that stays empty keeps what is set. */
export function SetValues({ serverId, variables, set }: SetValuesProps) {
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
