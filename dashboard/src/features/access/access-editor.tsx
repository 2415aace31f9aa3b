import { useState } from 'react';
import type { AccessMatrix } from '../../api/types';
import styles from './access.module.css';
import { ChangesBar } from './changes-bar';
import {
  edited,
  grantAt,
  isEdited,
  toggled,
  noEdits,
  withoutServer,
  type Edits,
  type Grant,
  type Place,
} from './grants';
import { Matrix } from './matrix';
import { ToolsPanel } from './tools-panel';

/** The matrix with its unsaved edits, and the panel of the cell that is open. */
export function AccessEditor({
  matrix,
  servers,
}: {
  matrix: AccessMatrix;
  servers: AccessMatrix['servers'];
}) {
  const [edits, setEdits] = useState<Edits>(noEdits);
  const [open, setOpen] = useState<Place | null>(null);
  const change = (place: Place, grant: Grant) => setEdits(edited(matrix, edits, place, grant));
  const agent = matrix.agents.find(({ id }) => id === open?.agentId);
  const server = matrix.servers.find(({ id }) => id === open?.serverId);
  return (
    <div className={styles.editor}>
      <Matrix
        agents={matrix.agents}
        servers={servers}
        open={open}
        grantAt={(place) => grantAt(matrix, edits, place)}
        isEdited={(place) => isEdited(edits, place)}
        onOpen={setOpen}
        onToggle={(place) => change(place, toggled(grantAt(matrix, edits, place)))}
      />
      {edits.size > 0 && (
        <ChangesBar
          matrix={matrix}
          edits={edits}
          onDiscard={() => setEdits(noEdits)}
          onSaved={(serverId) => setEdits((before) => withoutServer(before, serverId))}
        />
      )}
      {open && agent && server && (
        <ToolsPanel
          key={`${open.agentId} ${open.serverId}`}
          agent={agent}
          server={server}
          grant={grantAt(matrix, edits, open)}
          onClose={() => setOpen(null)}
          onChange={(grant) => change(open, grant)}
        />
      )}
    </div>
  );
}
