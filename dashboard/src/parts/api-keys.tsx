import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../api/problem';
import type { ApiKey, NewApiKey, Role } from '../api/types';
import { Button } from './button';
import { Card } from './card';
import { Confirm, Dialog } from './dialog';
import { SelectField, TextField } from './field';
import { Empty, Loaded, ProblemNotice } from './notice';
import { ShownOnce } from './snippet';
import { Tag } from './status';
import { Table } from './table';
import { Ago, Time } from './time';
import { announce } from './toasts';

/** The ends that the dashboard offers for a new key, in days; null is a key without an end. */
const lifetimes = {
  never: { words: 'Never', days: null },
  month: { words: 'In 30 days', days: 30 },
  quarter: { words: 'In 90 days', days: 90 },
  year: { words: 'In 1 year', days: 365 },
} as const;

type Lifetime = keyof typeof lifetimes;

const DAY_MS = 86_400_000;

/** The instant at which a key of this lifetime ends; null when it does not. */
export function expiryOf(lifetime: Lifetime, now = Date.now()): string | null {
  const { days } = lifetimes[lifetime];
  return days === null ? null : new Date(now + days * DAY_MS).toISOString();
}

/** Whether a key has ended, or ends so soon that someone should replace it. */
export function expiryState(expiresAt: string | null, now = Date.now()): 'none' | 'ended' | 'soon' | 'later' {
  if (expiresAt === null) return 'none';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'ended';
  return left <= 7 * DAY_MS ? 'soon' : 'later';
}

interface NewKeyRequest {
  name: string;
  expiresAt: string | null;
  role?: Role;
}

/** How the owner of the keys creates and revokes them: each kind of owner has routes of its own. */
interface KeyChanges {
  create: (request: NewKeyRequest) => Promise<NewApiKey>;
  revoke: (key: ApiKey) => Promise<unknown>;
  /** What a revocation leaves, after "Everything that uses it is refused at once": "Your session stays." */
  consequence: string;
  /** Roles that a new key may be narrowed to; agents' keys have none. */
  roles?: readonly Role[];
}

interface NewKeyProps {
  create: KeyChanges['create'];
  roles: readonly Role[] | undefined;
  onClose: () => void;
}

/** Creates a key and shows its secret, once. */
function NewKey({ create, roles, onClose }: NewKeyProps) {
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('quarter');
  const [role, setRole] = useState<Role | ''>('');
  const creation = useMutation({
    mutationFn: () => create({ name, expiresAt: expiryOf(lifetime), ...(role === '' ? {} : { role }) }),
    gcTime: 0,
  });
  const errors = fieldErrors(creation.error, ['name', 'role']);
  if (creation.data)
    return (
      <Dialog
        open
        onClose={onClose}
        title={`Key “${creation.data.name}” is created`}
        footer={<Button onClick={onClose}>Done</Button>}
      >
        <ShownOnce what="key" secret={creation.data.key} />
      </Dialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title="New key"
      onSubmit={() => creation.mutate()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={creation.isPending}>
            Create key
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        hint="Where it is used, so that you know later what stops when you revoke it: “staging”"
        required
        autoFocus
        value={name}
        error={errors.at('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label="Ends"
        value={lifetime}
        onChange={(event) => setLifetime(event.target.value as Lifetime)}
      >
        {Object.entries(lifetimes).map(([value, { words }]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </SelectField>
      {roles && (
        <SelectField
          label="Role"
          hint="A key may be narrower than you, never wider."
          value={role}
          error={errors.at('role')}
          onChange={(event) => setRole(event.target.value as Role | '')}
        >
          <option value="">Yours, also when it changes</option>
          {roles.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </SelectField>
      )}
      {errors.elsewhere && <ProblemNotice title="The key was not created" error={creation.error} />}
    </Dialog>
  );
}

interface KeyTableProps {
  keys: readonly ApiKey[];
  /** Whether keys may be narrowed to a role. */
  roles: boolean;
  onRevoke: (key: ApiKey) => void;
}

function KeyTable({ keys, roles, onRevoke }: KeyTableProps) {
  const columns = ['Name', 'Begins with', ...(roles ? ['Role'] : []), 'Last used', 'Ends', ''];
  return (
    <Table label="Keys" columns={columns}>
      {keys.map((key) => (
        <tr key={key.id}>
          <td>
            <b>{key.name}</b>
          </td>
          <td data-label="Begins with">
            <code className="soft">{key.prefix}…</code>
          </td>
          {roles && <td data-label="Role">{key.role ?? <span className="soft">Yours</span>}</td>}
          <td data-label="Last used" className="soft">
            {key.lastUsedAt === null ? 'Never' : <Ago iso={key.lastUsedAt} />}
          </td>
          <td data-label="Ends" className="soft">
            <Ends expiresAt={key.expiresAt} />
          </td>
          <td>
            <Button small look="danger" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
              Revoke
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Ends({ expiresAt }: { expiresAt: string | null }) {
  const state = expiryState(expiresAt);
  if (expiresAt === null) return 'Never';
  if (state === 'later') return <Time iso={expiresAt} />;
  return (
    <Tag tone={state === 'ended' ? 'danger' : 'waiting'} icon="clock">
      {state === 'ended' ? 'Ended ' : 'Soon, '}
      <Time iso={expiresAt} />
    </Tag>
  );
}

interface RevokeKeyProps extends Pick<KeyChanges, 'revoke' | 'consequence'> {
  apiKey: ApiKey;
  onClose: () => void;
}

function RevokeKey({ apiKey, revoke, consequence, onClose }: RevokeKeyProps) {
  const ending = useMutation({
    mutationFn: () => revoke(apiKey),
    onSuccess: () => {
      announce(`Key “${apiKey.name}” is revoked`);
      onClose();
    },
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Revoke the key “${apiKey.name}”?`}
      verb="Revoke key"
      onConfirm={() => ending.mutate()}
      busy={ending.isPending}
      error={ending.error}
    >
      <p>Everything that uses it is refused at once. {consequence} This cannot be undone.</p>
    </Confirm>
  );
}

interface ApiKeysProps extends KeyChanges {
  title: string;
  keys: UseQueryResult<ApiKey[]>;
  /** What an empty list means. */
  empty: string;
}

/** Keys without their secrets: list, create with the secret shown once, revoke. */
export function ApiKeys({ title, keys, empty, create, revoke, consequence, roles }: ApiKeysProps) {
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const newKey = (
    <Button small icon="plus" onClick={() => setCreating(true)}>
      New key
    </Button>
  );
  return (
    <>
      <Loaded query={keys} what="The keys">
        {(all) => (
          <Card title={title} count={all.length} actions={newKey} flush>
            {all.length === 0 ? (
              <Empty icon="access" title="No keys">
                {empty}
              </Empty>
            ) : (
              <KeyTable keys={all} onRevoke={setRevoking} roles={roles !== undefined} />
            )}
          </Card>
        )}
      </Loaded>
      {creating && <NewKey create={create} roles={roles} onClose={() => setCreating(false)} />}
      {revoking && (
        <RevokeKey
          apiKey={revoking}
          revoke={revoke}
          consequence={consequence}
          onClose={() => setRevoking(null)}
        />
      )}
    </>
  );
}
