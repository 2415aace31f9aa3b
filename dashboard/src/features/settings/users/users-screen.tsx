import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import { usersQuery } from '../../../api/lists';
import { fieldErrors } from '../../../api/problem';
import type { Role, User } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { Button, Buttons } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { classes } from '../../../parts/classes';
import { Confirm, FormDialog } from '../../../parts/dialog';
import { inputClass, SelectField, TextField } from '../../../parts/field';
import { Loaded } from '../../../parts/notice';
import { Pill } from '../../../parts/status';
import { Table } from '../../../parts/table';
import { Time } from '../../../parts/time';
import { announce, announceRefusal } from '../../../parts/toasts';
import { Who } from '../../../parts/who';
import { useDraft } from '../../../session/draft';
import { hasRole, rolesUpTo, useMe, signInMethodsQuery } from '../../../session/me';
import { IdentityDialog } from './identity/identity-dialog';
import styles from './users-screen.module.css';

interface NewUser {
  email: string;
  name: string;
  role: Role;
  password: string;
}

/** Creates a user; without a password they use keys only. */
function useCreateUser(onCreated: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ password, ...user }: NewUser) =>
      bodyOf(api.POST('/api/users', { body: { ...user, ...(password === '' ? {} : { password }) } })),
    onSuccess: async ({ name }) => {
      announce(`${name} is created`);
      onCreated();
      await client.invalidateQueries({ queryKey: keys.users });
    },
  });
}

/** Changes a user's role, or disables and enables them. */
function useChangeUser({ id: userId, name }: User) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { role: Role } | { disabled: boolean }) =>
      bodyOf(api.PUT('/api/users/{userId}', { params: { path: { userId } }, body })),
    onSuccess: (_, change) => announce(`${name} is ${done(change)}`),
    onError: (error) => announceRefusal(`${name} was not changed`, error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.users }),
  });
}

function done(change: { role: Role } | { disabled: boolean }): string {
  if ('role' in change) return `now ${change.role}`;
  return change.disabled ? 'disabled' : 'enabled';
}

const fieldNames = ['name', 'email', 'role', 'password'];

const meaning: Record<Role, string> = {
  Viewer: 'Viewer: reads',
  Editor: 'Editor: works on issues',
  Admin: 'Admin: manages agents, servers and users',
  Owner: 'Owner: may do everything',
};

function CreateUser({ onClose }: { onClose: () => void }) {
  const me = useMe();
  const {
    value: shown,
    set: keep,
    discard,
  } = useDraft('user', { name: '', email: '', role: 'Editor' as Role });
  // A password is no draft: it stays in this dialog.
  const [password, setPassword] = useState('');
  const user = { ...shown, password };
  const create = useCreateUser(() => {
    discard();
    onClose();
  });
  const errors = fieldErrors(create.error, fieldNames);
  const set = (part: Partial<typeof shown>) => keep({ ...shown, ...part });
  return (
    <FormDialog
      onClose={onClose}
      title="New user"
      onSubmit={() => create.mutate(user)}
      verb="Create user"
      busy={create.isPending}
      refused="The user was not created"
      refusal={errors.elsewhere && create.error}
    >
      <TextField
        label="Name"
        required
        autoFocus
        value={user.name}
        error={errors.at('name')}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextField
        label="E-mail"
        type="email"
        autoComplete="off"
        required
        value={user.email}
        error={errors.at('email')}
        onChange={(event) => set({ email: event.target.value })}
      />
      <SelectField
        label="Role"
        value={user.role}
        error={errors.at('role')}
        onChange={(event) => set({ role: event.target.value as Role })}
      >
        {rolesUpTo(me).map((role) => (
          <option key={role} value={role}>
            {meaning[role]}
          </option>
        ))}
      </SelectField>
      <TextField
        label="First password"
        hint="At least 12 characters; the person changes it in their profile. Left empty, they use keys only."
        type="password"
        autoComplete="new-password"
        value={user.password}
        error={errors.at('password')}
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormDialog>
  );
}

/** All people, with their roles; Admins only. */
export function UsersScreen() {
  const users = useQuery(usersQuery);
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  useActions([{ id: 'create-user', name: 'New user', icon: 'user', group: 'Create', perform: create }]);
  return (
    <>
      <Loaded query={users} what="The users">
        {(all) => (
          <Card
            title="Users"
            count={all.length}
            actions={
              <Button small icon="plus" onClick={create}>
                New user
              </Button>
            }
            flush
          >
            <Table label="Users" columns={['Name', 'E-mail', 'Role', 'Since', '']}>
              {all.map((user) => (
                <UserRow key={user.id} user={user} />
              ))}
            </Table>
          </Card>
        )}
      </Loaded>
      {creating && <CreateUser onClose={() => setCreating(false)} />}
    </>
  );
}

/** One person. The service refuses changes of the own role and of people above, so those rows are facts only. */
function UserRow({ user }: { user: User }) {
  const me = useMe();
  const own = user.id === me.id;
  const changeable = !own && hasRole(me, user.role);
  const disabled = user.disabledAt !== null;
  return (
    <tr>
      <td>
        <span className={classes('row', styles.name)}>
          <Who party={{ type: 'user', name: user.name }} />
          {own && <span className="soft small">You</span>}
          {disabled && (
            <Pill tone="disabled" icon="disabled">
              Disabled
            </Pill>
          )}
        </span>
      </td>
      <td data-label="E-mail" className="soft">
        {user.email}
      </td>
      <td data-label="Role">{changeable && !disabled ? <RoleChoice user={user} /> : user.role}</td>
      <td data-label="Since" className="soft">
        <Time iso={user.createdAt} />
      </td>
      <td>
        <Buttons>
          <Identity user={user} />
          {changeable && <Access user={user} />}
        </Buttons>
      </td>
    </tr>
  );
}

function RoleChoice({ user }: { user: User }) {
  const me = useMe();
  const change = useChangeUser(user);
  return (
    <select
      className={classes(inputClass, styles.role)}
      aria-label={`Role of ${user.name}`}
      value={
        change.isPending && change.variables && 'role' in change.variables ? change.variables.role : user.role
      }
      onChange={(event) => change.mutate({ role: event.target.value as Role })}
    >
      {rolesUpTo(me).map((role) => (
        <option key={role}>{role}</option>
      ))}
    </select>
  );
}

/** An Owner says who at the OpenID provider a user is, where there is a provider. */
function Identity({ user }: { user: User }) {
  const me = useMe();
  const provider = useQuery(signInMethodsQuery).data?.oidc?.name;
  const [open, setOpen] = useState(false);
  if (provider === undefined || !hasRole(me, 'Owner')) return null;
  return (
    <>
      <Button small aria-label={`Identity of ${user.name} at ${provider}`} onClick={() => setOpen(true)}>
        Identity
      </Button>
      {open && <IdentityDialog user={user} provider={provider} onClose={() => setOpen(false)} />}
    </>
  );
}

function Access({ user }: { user: User }) {
  const change = useChangeUser(user);
  const [asking, setAsking] = useState(false);
  if (user.disabledAt !== null)
    return (
      <Button small busy={change.isPending} onClick={() => change.mutate({ disabled: false })}>
        Enable
      </Button>
    );
  return (
    <>
      <Button small look="danger" aria-label={`Disable ${user.name}`} onClick={() => setAsking(true)}>
        Disable
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Disable ${user.name}?`}
        verb="Disable user"
        onConfirm={() => change.mutate({ disabled: true }, { onSuccess: () => setAsking(false) })}
        busy={change.isPending}
        error={change.error}
      >
        <p>Their sessions end and their keys stop working at once. You can enable them again.</p>
      </Confirm>
    </>
  );
}
