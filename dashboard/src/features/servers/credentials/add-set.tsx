import { useState } from 'react';
import { fieldErrors } from '../../../api/field-errors';
import type { Variable } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { TextField } from '../../../parts/field';
import { ProblemNotice } from '../../../parts/notice';
import { announce } from '../../../parts/toasts';
import { VariableField } from '../../../shared/mcp/variable-field';
import { useCreateSet } from './changes';

interface AddSetProps {
  serverId: string;
  variables: readonly Variable[];
  onClose: () => void;
}

/** Adds a credential set: a name that never changes, and its values. */
export function AddSet({ serverId, variables, onClose }: AddSetProps) {
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
    <Dialog
      open
      onClose={onClose}
      title="Add a credential set"
      onSubmit={() => create.mutate({ name, envValues: Object.fromEntries(given) })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={create.isPending}>
            Add set
          </Button>
        </>
      }
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
      {errors.elsewhere && <ProblemNotice title="The set was not added" error={create.error} />}
    </Dialog>
  );
}
