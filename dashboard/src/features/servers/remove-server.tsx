import type { Server } from '../../api/types';
import { Confirm } from '../../parts/confirm';
import { announce } from '../../parts/toasts';
import { useRemove } from './changes';

interface RemoveServerProps {
  server: Server;
  open: boolean;
  onClose: () => void;
  onRemoved: () => void;
}

/** Asks before a server is removed, and says what goes with it. */
export function RemoveServer({ server, open, onClose, onRemoved }: RemoveServerProps) {
  const remove = useRemove(server.id, () => {
    announce(`${server.name} is removed`);
    onRemoved();
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={`Remove ${server.name}?`}
      verb="Remove server"
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      error={remove.error}
    >
      <p>
        Its processes end, and its credentials, its package and the access of every agent are deleted. This
        cannot be undone. To stop it for a while, disable it.
      </p>
    </Confirm>
  );
}
