import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CredentialSet } from '../../../api/types';
import { Button, buttonClass, IconButton } from '../../../parts/button';
import { Confirm, Dialog } from '../../../parts/dialog';
import { Menu, type MenuItem } from '../../../parts/menu';
import { announce } from '../../../parts/toasts';
import { namesOf, type SetUsers } from '../../../shared/mcp/effective-access';
import { useDeleteSet, useRevokeSet } from '../changes';

interface SetMenuProps {
  serverId: string;
  set: CredentialSet;
  users: SetUsers | null;
}

type Asked = 'revoke' | 'delete' | null;

/** What ends a set: revoking it, or deleting one that nothing names. */
export function SetMenu({ serverId, set, users }: SetMenuProps) {
  const [asked, setAsked] = useState<Asked>(null);
  const items: MenuItem[] = [];
  if (set.state !== 'revoked')
    items.push({
      id: 'revoke',
      label: 'Revoke',
      icon: 'disabled',
      danger: true,
      onSelect: () => setAsked('revoke'),
    });
  if (set.name !== 'default')
    items.push({
      id: 'delete',
      label: 'Delete',
      icon: 'close',
      danger: true,
      onSelect: () => setAsked('delete'),
    });
  if (items.length === 0) return null;
  const label = `More actions for the set ${set.name}`;
  const dialog = { serverId, set, users, onClose: () => setAsked(null) };
  return (
    <>
      <Menu trigger={<IconButton small icon="more" label={label} />} label={label} items={items} />
      <Revoke {...dialog} open={asked === 'revoke'} />
      {users !== null && users.namedBy.length > 0 ? (
        <InUse {...dialog} namedBy={users.namedBy} open={asked === 'delete'} />
      ) : (
        <Delete {...dialog} open={asked === 'delete'} />
      )}
    </>
  );
}

type AskedProps = SetMenuProps & { open: boolean; onClose: () => void };

function Revoke({ serverId, set: { name }, users, open, onClose }: AskedProps) {
  const revoke = useRevokeSet(serverId, name, () => {
    announce(`${name} is revoked`);
    onClose();
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={`Revoke ${name}?`}
      verb="Revoke credentials"
      onConfirm={() => revoke.mutate()}
      busy={revoke.isPending}
      error={revoke.error}
    >
      <p>{whomItHits(users)}</p>
      <p>
        The values are deleted, processes that use them end at once, and calls that run fail. The grants stay:
        new values make the set work again. Revoke the credentials where they were issued, too.
      </p>
    </Confirm>
  );
}

/** How many agents lose the tools. */
function whomItHits(users: SetUsers | null): string {
  if (users === null) return 'The agents that use it lose the tools of this server.';
  const { agents } = users;
  if (agents.length === 0) return 'No agent uses it.';
  if (agents.length === 1) return `1 agent uses it and loses the tools of this server: ${agents[0]}.`;
  return `${agents.length} agents use it and lose the tools of this server: ${namesOf(agents)}.`;
}

function Delete({ serverId, set: { name }, open, onClose }: AskedProps) {
  const remove = useDeleteSet(serverId, name, () => {
    announce(`${name} is deleted`);
    onClose();
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={`Delete ${name}?`}
      verb="Delete set"
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      error={remove.error}
    >
      <p>
        Its values, its processes and their data folders are deleted. This cannot be undone. No grant and no
        profile names it.
      </p>
    </Confirm>
  );
}

/** The service would refuse: says who has to get another set first. */
function InUse({
  serverId,
  set: { name },
  namedBy,
  open,
  onClose,
}: AskedProps & { namedBy: readonly string[] }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`${name} is in use`}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Link to="/access" search={{ server: serverId }} className={buttonClass({ look: 'primary' })}>
            Change the access
          </Link>
        </>
      }
    >
      <p>
        {namesOf(namedBy)} {namedBy.length === 1 ? 'names' : 'name'} it. Choose another set there, then delete
        this one. To stop it at once, revoke it.
      </p>
    </Dialog>
  );
}
