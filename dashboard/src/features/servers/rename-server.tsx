import { useState } from 'react';
import { asProblem } from '../../api/problem';
import type { Server } from '../../api/types';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { TextField } from '../../parts/field';
import { useRename } from './changes';

/** Renames a server. The names of its tools keep their beginning. */
export function RenameServer({ server, onClose }: { server: Server; onClose: () => void }) {
  const [name, setName] = useState(server.name);
  const rename = useRename(server.id, onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Rename ${server.name}`}
      onSubmit={() => rename.mutate({ name })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={rename.isPending}>
            Rename
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        hint={`People see it. Agents go on to see tools as ${server.slug}__….`}
        required
        autoFocus
        value={name}
        error={rename.isError ? messageOf(rename.error) : undefined}
        onChange={(event) => setName(event.target.value)}
      />
    </Dialog>
  );
}

function messageOf(error: unknown): string {
  const problem = asProblem(error);
  return problem.errors[0]?.message ?? problem.detail;
}
