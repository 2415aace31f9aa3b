import { useState } from 'react';
import { Button, Key } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Switch } from '../parts/field';
import { setSingleKeys, singleKeysOn } from '../theme/preferences';
import { type Action, actionGroups, isSingleKey, keyCaps, useAllActions } from './use-actions';
import styles from './help-dialog.module.css';

/** A shortcut as key caps, in the order in which they are pressed. */
export function ShortcutKeys({ shortcut }: { shortcut: string }) {
  return (
    <span className={styles.shortcutKeysKeys}>
      {keyCaps(shortcut).map((cap, index) => (
        <Key key={index}>{cap}</Key>
      ))}
    </span>
  );
}

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
