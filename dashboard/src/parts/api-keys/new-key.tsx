import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../api/field-errors';
import type { Role } from '../../api/types';
import { Button } from '../button';
import { Dialog } from '../dialog';
import { SelectField, TextField } from '../field';
import { ProblemNotice } from '../notice';
import { ShownOnce } from '../shown-once';
import type { KeyChanges } from './key-changes';
import { expiryOf, lifetimes, type Lifetime } from './expiry';

interface NewKeyProps {
  create: KeyChanges['create'];
  roles: readonly Role[] | undefined;
  onClose: () => void;
}

/** Creates a key and shows its secret, once. */
export function NewKey({ create, roles, onClose }: NewKeyProps) {
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
