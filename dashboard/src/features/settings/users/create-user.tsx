import { useState } from 'react';
import { fieldErrors } from '../../../api/field-errors';
import type { Role } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { SelectField, TextField } from '../../../parts/field';
import { ProblemNotice } from '../../../parts/notice';
import { useDraft } from '../../../session/draft';
import { useMe } from '../../../session/me';
import { rolesUpTo } from '../../../session/roles';
import { useCreateUser } from './changes';

const fieldNames = ['name', 'email', 'role', 'password'];

const meaning: Record<Role, string> = {
  Viewer: 'Viewer: reads',
  Editor: 'Editor: works on issues',
  Admin: 'Admin: manages agents, servers and users',
  Owner: 'Owner: may do everything',
};

export function CreateUser({ onClose }: { onClose: () => void }) {
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
