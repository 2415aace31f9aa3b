import { Chooser } from '../parts/chooser';
import { findActions } from './find-actions';
import { ShortcutKeys } from './shortcut-keys';
import { useAllActions } from './use-actions';

interface PaletteProps {
  open: boolean;
  onClose: () => void;
}

/** Finds any action by its name and performs it: the mouse-free way to everything. */
export function CommandPalette({ open, onClose }: PaletteProps) {
  const actions = useAllActions().filter(({ id }) => id !== 'palette');
  return (
    <Chooser
      open={open}
      onClose={onClose}
      label="Find a command"
      placeholder="What do you want to do?"
      none="No command has these words."
      optionsFor={(query) =>
        findActions(actions, query).map(({ id, name, icon, group, shortcut }) => ({
          id,
          label: name,
          icon,
          // A list that was searched is in the order of fit, without headings.
          group: query.trim() === '' ? group : undefined,
          end: shortcut && <ShortcutKeys shortcut={shortcut} />,
        }))
      }
      onChoose={({ id }) => actions.find((action) => action.id === id)?.perform()}
    />
  );
}
