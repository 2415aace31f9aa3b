import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/problem';
import { usersQuery } from '../../../api/lists';
import type { Role } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Dialog } from '../../../parts/dialog';
import { SelectField, TextField } from '../../../parts/field';
import { ProblemNotice } from '../../../parts/notice';
import { Skeleton } from '../../../parts/skeleton';
import { Table } from '../../../parts/table';
import { useDraft } from '../../../session/draft';
import { rolesUpTo, useMe } from '../../../session/me';
import { useCreateUser } from './changes';
import { UserRow } from './user-row';

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
    <Dialog
      open
      onClose={onClose}
      title="New user"
      onSubmit={() => create.mutate(user)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={create.isPending}>
            Create user
          </Button>
        </>
      }
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
      {errors.elsewhere && <ProblemNotice title="The user was not created" error={create.error} />}
    </Dialog>
  );
}

/** All people, with their roles; Admins only. */
export function UsersScreen() {
  const users = useQuery(usersQuery);
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  useActions([{ id: 'create-user', name: 'New user', icon: 'user', group: 'Create', perform: create }]);
  if (users.isPending) return <Skeleton rows={4} label="Loading users" />;
  if (users.isLoadingError)
    return (
      <ProblemNotice
        title="The users cannot be shown"
        error={users.error}
        onRetry={() => void users.refetch()}
      />
    );
  return (
    <>
      <Card
        title="Users"
        count={users.data.length}
        actions={
          <Button small icon="plus" onClick={create}>
            New user
          </Button>
        }
        flush
      >
        <Table label="Users" columns={['Name', 'E-mail', 'Role', 'Since', '']}>
          {users.data.map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </Table>
      </Card>
      {creating && <CreateUser onClose={() => setCreating(false)} />}
    </>
  );
}
