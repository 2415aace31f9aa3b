import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { fieldErrors } from '../../../api/problem';
import type { CatalogEntryDetail, CredentialSet, Server, Variable } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Card, Rows } from '../../../parts/card';
import { FormDialog } from '../../../parts/dialog';
import { Empty, Loaded } from '../../../parts/notice';
import { TextField } from '../../../parts/field';
import { announce } from '../../../parts/toasts';
import { indexOf, type SetUsers, usersOfSet } from '../../../shared/mcp/effective-access';
import {
  accessMatrixQuery,
  catalogEntryQuery,
  credentialSetsQuery,
  profilesQuery,
  serverQuery,
} from '../../../shared/mcp/queries';
import { VariableField } from '../../../shared/mcp/variable-field';
import { openAtFirst, useCreateSet } from '../changes';
import styles from './credentials.module.css';
import { SetRow } from './set-row';

interface AddSetProps {
  serverId: string;
  variables: readonly Variable[];
  onClose: () => void;
}

/** Adds a credential set: a name that never changes, and its values. */
function AddSet({ serverId, variables, onClose }: AddSetProps) {
  const [name, setName] = useState('');
  const [values, setValues] = useState<Record<string, string>>({});
  const create = useCreateSet(serverId, (created) => {
    announce(`${created} is added`, 'Choose it for an agent under Access.');
    onClose();
  });
  const paths = variables.map((variable) => `envValues.${variable.name}`);
  const errors = fieldErrors(create.error, ['name', ...paths]);
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return (
    <FormDialog
      onClose={onClose}
      title="Add a credential set"
      onSubmit={() => create.mutate({ name, envValues: Object.fromEntries(given) })}
      verb="Add set"
      busy={create.isPending}
      refused="The set was not added"
      refusal={errors.elsewhere && create.error}
    >
      <TextField
        label="Name of the set"
        hint="Lower-case letters, digits and hyphens, such as team-a. It never changes."
        required
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={name}
        error={errors.at('name')}
        onChange={(event) => setName(event.target.value)}
      />
      {variables.map((variable) => (
        <VariableField
          key={variable.name}
          variable={variable}
          value={values[variable.name] ?? ''}
          error={errors.at(`envValues.${variable.name}`)}
          onChange={(value) => setValues({ ...values, [variable.name]: value })}
        />
      ))}
    </FormDialog>
  );
}

interface CredentialsTabProps {
  id: string;
  /** The set that the address names. */
  chosen: string | undefined;
}

/** The credential sets of a server: names, what is set, and who uses them. No value is ever shown. */
export function CredentialsTab({ id, chosen }: CredentialsTabProps) {
  const server = useQuery(serverQuery(id)).data;
  const entry = useQuery({ ...catalogEntryQuery(server?.catalogId ?? ''), enabled: server !== undefined });
  const sets = useQuery(credentialSetsQuery(id));
  if (server === undefined) return null;
  return (
    <Loaded query={entry} what="The variables">
      {(detail) =>
        detail.environmentVariables.length === 0 && server.transport === 'stdio' ? (
          <Empty icon="shield" title="No values needed">
            This server works without credentials and has nothing to set.
          </Empty>
        ) : (
          <Loaded query={sets} what="The credential sets">
            {(all) => <Sets server={server} entry={detail} sets={all} chosen={chosen} />}
          </Loaded>
        )
      }
    </Loaded>
  );
}

interface SetsProps {
  server: Server;
  entry: CatalogEntryDetail;
  sets: readonly CredentialSet[];
  chosen: string | undefined;
}

function Sets({ server, entry, sets, chosen }: SetsProps) {
  const [open, setOpen] = useState(() => openAtFirst(sets, chosen));
  const [adding, setAdding] = useState(false);
  const usersOf = useUsersOf(server.id);
  // A set that was never used has not been asked to sign in, but its server asks.
  const canSignIn = server.transport !== 'stdio' && sets.some(({ signIn }) => signIn !== null);
  return (
    <div className={styles.sets}>
      <Card
        title="Credential sets"
        count={sets.length}
        actions={
          <Button small icon="plus" onClick={() => setAdding(true)}>
            Add a set
          </Button>
        }
        flush
        footer={
          <span className="soft small">
            The grant of an agent names the set that its calls use. Values are encrypted and never shown
            again.
          </span>
        }
      >
        <Rows label="Credential sets">
          {sets.map((set) => (
            <SetRow
              key={set.name}
              server={server}
              variables={entry.environmentVariables}
              set={set}
              users={usersOf(set.name)}
              canSignIn={canSignIn}
              open={open === set.name}
              onToggle={() => setOpen(open === set.name ? null : set.name)}
            />
          ))}
        </Rows>
      </Card>
      {adding && (
        <AddSet
          serverId={server.id}
          variables={entry.environmentVariables}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  );
}

/** Who uses a set; null while that is not known. */
function useUsersOf(serverId: string): (set: string) => SetUsers | null {
  const matrix = useQuery(accessMatrixQuery).data;
  const profiles = useQuery(profilesQuery).data;
  const index = useMemo(() => matrix && profiles && indexOf(matrix, profiles), [matrix, profiles]);
  return (set) => (matrix && index ? usersOfSet(index, matrix, serverId, set) : null);
}
