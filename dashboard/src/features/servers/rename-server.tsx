import { asProblem } from '../../api/problem';
import type { Server } from '../../api/types';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { TextField } from '../../parts/field';
import { useDraft } from '../../session/draft';
import { useRename } from './changes';

/** Renames a server. The names of its tools keep their beginning. */
export function RenameServer({ server, onClose }: { server: Server; onClose: () => void }) {
  const { value: name, set: setName, discard } = useDraft(`server ${server.id}`, server.name);
  const close = () => {
    discard();
    onClose();
  };
  const rename = useRename(server.id, close);
  return (
    <Dialog
      open
      onClose={close}
      title={`Rename ${server.name}`}
      onSubmit={() => rename.mutate({ name })}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
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
