import { useState } from 'react';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Switch } from '../parts/switch';
import { setSingleKeys, singleKeysOn } from '../theme/preferences';
import { actionGroups, isSingleKey, type Action } from './action';
import styles from './help-dialog.module.css';
import { ShortcutKeys } from './shortcut-keys';
import { useAllActions } from './use-actions';

interface HelpProps {
  open: boolean;
  onClose: () => void;
}

/** Every shortcut that works on this screen. */
export function HelpDialog({ open, onClose }: HelpProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Keyboard shortcuts"
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <Shortcuts />
    </Dialog>
  );
}

function Shortcuts() {
  const actions = useAllActions().filter(({ shortcut }) => shortcut !== undefined);
  const [single, setSingle] = useState(singleKeysOn);
  const groups = actionGroups
    .map((group) => ({ group, members: actions.filter((action) => action.group === group) }))
    .filter(({ members }) => members.length > 0);
  return (
    <>
      <Switch
        label="Single keys"
        hint="Shortcuts without Ctrl. Turn them off if speech input or another tool presses keys for you."
        checked={single}
        onChange={(on) => {
          setSingleKeys(on);
          setSingle(on);
        }}
      />
      {groups.map(({ group, members }) => (
        <section key={group} aria-label={group}>
          <h3>{group}</h3>
          <dl className={styles.keys}>
            {members.map((action) => (
              <Row key={action.id} action={action} off={!single} />
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}

function Row({ action: { name, shortcut = '' }, off }: { action: Action; off: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {off && isSingleKey(shortcut) ? (
          <span className="soft small">off</span>
        ) : (
          <ShortcutKeys shortcut={shortcut} />
        )}
      </dd>
    </div>
  );
}
