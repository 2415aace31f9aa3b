import { useCallback, useMemo, useState } from 'react';
import type { AccessMatrix, Profile } from '../../api/types';
import { Empty } from '../../parts/empty';
import { indexOf } from '../../shared/mcp/effective-access';
import styles from './access.module.css';
import { ChangesBar } from './changes-bar';
import { edited, grantAt, noEdits, without, type Edits } from './edits';
import { toggled, type Grant, type Place } from './grants';
import { Matrix } from './matrix';
import { AccessPanel } from './panel/access-panel';
import { rowsOf } from './rows';

interface AccessEditorProps {
  matrix: AccessMatrix;
  profiles: readonly Profile[];
  servers: AccessMatrix['servers'];
  /** Narrows the rows by name. */
  words: string;
  onProfile: (id: string) => void;
}

/** The matrix with its unsaved edits, and the panel of the cell that is open. */
export function AccessEditor({ matrix, profiles, servers, words, onProfile }: AccessEditorProps) {
  const [edits, setEdits] = useState<Edits>(noEdits);
  const [open, setOpen] = useState<Place | null>(null);
  const index = useMemo(() => indexOf(matrix, profiles), [matrix, profiles]);
  const rows = useMemo(() => rowsOf(matrix, profiles, words), [matrix, profiles, words]);
  const onOpen = useCallback((place: Place) => setOpen(place), []);
  const change = (place: Place, grant: Grant) => setEdits(edited(index, edits, place, grant));
  const givenAt = ({ of, id, serverId }: Place) => (of === 'agent' ? index.givenTo(id, serverId) : []);
  const row = rowsOf(matrix, profiles, '').find(({ of, id }) => of === open?.of && id === open.id);
  const server = matrix.servers.find(({ id }) => id === open?.serverId);
  return (
    <div className={styles.editor}>
      {rows.length === 0 ? (
        <Empty icon="filter" title="Nothing matches">
          No profile and no agent has this name.
        </Empty>
      ) : (
        <Matrix
          rows={rows}
          servers={servers}
          index={index}
          edits={edits}
          open={open}
          onOpen={onOpen}
          onToggle={(place) =>
            change(place, toggled(grantAt(index, edits, place), givenAt(place).length > 0))
          }
          onProfile={onProfile}
        />
      )}
      {edits.size > 0 && (
        <ChangesBar
          matrix={matrix}
          index={index}
          edits={edits}
          onDiscard={() => setEdits(noEdits)}
          onSaved={(saved) => setEdits((before) => without(before, saved))}
        />
      )}
      {open && row && server && (
        <AccessPanel
          key={`${open.of} ${open.id} ${open.serverId}`}
          row={row}
          server={server}
          grant={grantAt(index, edits, open)}
          given={givenAt(open)}
          onClose={() => setOpen(null)}
          onChange={(grant) => change(open, grant)}
        />
      )}
    </div>
  );
}
