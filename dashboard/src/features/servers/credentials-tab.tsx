import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asProblem } from '../../api/problem';
import type { CatalogEntryDetail, Server, Variable } from '../../api/types';
import { Button } from '../../parts/button';
import { Card } from '../../parts/card';
import { Empty } from '../../parts/empty';
import { ProblemNotice } from '../../parts/notice';
import { Tag } from '../../parts/status';
import { announce } from '../../parts/toasts';
import { Loaded } from '../../parts/loaded';
import { useVerify } from '../../shared/mcp/changes';
import { catalogEntryQuery, serverQuery } from '../../shared/mcp/queries';
import { VariableField } from '../../shared/mcp/variable-field';
import { useUpdate } from './changes';
import styles from './credentials.module.css';

type Values = Record<string, string>;

/** The values that a server needs: names, whether they are set, and new ones. No value is ever shown. */
export function CredentialsTab({ id }: { id: string }) {
  const server = useQuery(serverQuery(id)).data;
  const entry = useQuery({ ...catalogEntryQuery(server?.catalogId ?? ''), enabled: server !== undefined });
  if (server === undefined) return null;
  return (
    <Loaded query={entry} what="The variables">
      {(detail) =>
        detail.environmentVariables.length === 0 ? (
          <Empty icon="shield" title="No values needed">
            This server works without credentials and has nothing to set.
          </Empty>
        ) : (
          <Form server={server} entry={detail} />
        )
      }
    </Loaded>
  );
}

function Form({ server, entry }: { server: Server; entry: CatalogEntryDetail }) {
  const [values, setValues] = useState<Values>({});
  const update = useUpdate(server.id, () => {
    setValues({});
    announce('The values are saved', 'Processes finish their calls and start again with them.');
  });
  const problem = update.isError ? asProblem(update.error) : null;
  const errorOf = (name: string) => problem?.errors.find(({ path }) => path === `envValues.${name}`)?.message;
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (given.length > 0) update.mutate({ envValues: Object.fromEntries(given) });
      }}
    >
      <Card
        title="Values"
        footer={
          <>
            <Button look="primary" type="submit" busy={update.isPending} aria-disabled={given.length === 0}>
              {given.length === 0
                ? 'Nothing to save'
                : given.length === 1
                  ? 'Replace 1 value'
                  : `Replace ${given.length} values`}
            </Button>
            {update.isSuccess && given.length === 0 && <VerifyNow id={server.id} />}
            <span className="soft small">
              Values are encrypted and never shown again. Verify the server afterwards.
            </span>
          </>
        }
      >
        <div className="stack">
          {problem && problem.errors.length === 0 && (
            <ProblemNotice title="The values were not saved" error={problem} />
          )}
          {entry.environmentVariables.map((variable) => (
            <div key={variable.name} className={styles.variable}>
              <VariableField
                variable={variable}
                value={values[variable.name] ?? ''}
                configured={server.configuredEnv.includes(variable.name)}
                error={errorOf(variable.name)}
                onChange={(value) => setValues({ ...values, [variable.name]: value })}
              />
              <State
                variable={variable}
                server={server}
                onRemove={() => update.mutate({ envValues: { [variable.name]: null } })}
              />
            </div>
          ))}
        </div>
      </Card>
    </form>
  );
}

/** New values are worth nothing until a verification has passed. */
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

function State({ variable, server, onRemove }: { variable: Variable; server: Server; onRemove: () => void }) {
  if (server.missingEnv.includes(variable.name))
    return (
      <Tag tone="danger" icon="error">
        Missing
      </Tag>
    );
  if (!server.configuredEnv.includes(variable.name))
    return <Tag icon="none">{variable.default === null ? 'Not set' : 'Default'}</Tag>;
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
