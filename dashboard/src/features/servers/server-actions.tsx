import { useState } from 'react';
import type { Server } from '../../api/types';
import { Button, Buttons, IconButton } from '../../parts/button';
import { Menu, type MenuItem } from '../../parts/menu';
import { useSwitch } from './changes';
import { RemoveServer } from './remove-server';
import { RenameServer } from './rename-server';
import { UpgradeServer } from './upgrade-server';

type Open = 'rename' | 'upgrade' | 'remove' | null;

/** What can be done with a server besides its tabs. */
export function ServerActions({ server, onRemoved }: { server: Server; onRemoved: () => void }) {
  const [open, setOpen] = useState<Open>(null);
  const toggle = useSwitch(server);
  const close = () => setOpen(null);
  const items: MenuItem[] = [
    { id: 'rename', label: 'Rename', icon: 'settings', onSelect: () => setOpen('rename') },
    { id: 'remove', label: 'Remove', icon: 'close', danger: true, onSelect: () => setOpen('remove') },
  ];
  return (
    <>
      <Buttons label={`Change ${server.name}`}>
        {server.updateAvailable && (
          <Button look="primary" icon="arrow" onClick={() => setOpen('upgrade')}>
            Upgrade
          </Button>
        )}
        <Button
          icon={server.status === 'disabled' ? 'enabled' : 'disabled'}
          busy={toggle.isPending}
          onClick={() => toggle.mutate()}
        >
          {server.status === 'disabled' ? 'Enable' : 'Disable'}
        </Button>
        <Menu
          trigger={<IconButton icon="more" label={`More actions for ${server.name}`} />}
          label={`More actions for ${server.name}`}
          items={items}
        />
      </Buttons>
      {open === 'rename' && <RenameServer server={server} onClose={close} />}
      {open === 'upgrade' && <UpgradeServer server={server} onClose={close} />}
      <RemoveServer server={server} open={open === 'remove'} onClose={close} onRemoved={onRemoved} />
    </>
  );
}
