import { memo } from 'react';
import type { AccessMatrix } from '../../api/types';
import type { AccessIndex } from '../../shared/mcp/effective-access';
import { Cell } from './cell';
import { grantAt, isEdited, type Edits } from './edits';
import { effectOf, type Place } from './grants';
import type { Position } from './moves';
import { RowHead } from './row-head';
import type { Row } from './rows';

interface MatrixRowProps extends Pick<AccessMatrix, 'servers'> {
  row: Row;
  /** Its number among all rows, which may not all be in the document. */
  at: number;
  measure: (element: HTMLElement | null) => void;
  index: AccessIndex;
  edits: Edits;
  isLastProfile: boolean;
  /** The column that takes the focus; null where another row has it. */
  stop: number | null;
  /** The server whose panel is open. */
  openAt: string | null;
  onFocus: (position: Position) => void;
  onOpen: (place: Place) => void;
  onProfile: (id: string) => void;
}

/** One profile or agent. It is drawn again only when something of it changes: an arrow key draws two rows. */
export const MatrixRow = memo(function MatrixRow(props: MatrixRowProps) {
  const { row, at, measure, servers, index, edits, isLastProfile, stop, openAt, onFocus, onOpen, onProfile } =
    props;
  return (
    <tr
      ref={measure}
      data-index={at}
      data-profile={row.of === 'profile' || undefined}
      data-last={isLastProfile || undefined}
      aria-rowindex={at + 2}
    >
      <RowHead
        row={row}
        at={at}
        tabStop={stop === -1}
        onFocus={() => onFocus({ row: at, column: -1 })}
        onProfile={onProfile}
      />
      {servers.map((server, column) => {
        const place: Place = { of: row.of, id: row.id, serverId: server.id };
        const grant = grantAt(index, edits, place);
        return (
          <Cell
            key={server.id}
            row={row.name}
            server={server}
            position={{ row: at, column }}
            grant={grant}
            effect={effectOf(grant, row.of === 'agent' ? index.givenTo(row.id, server.id) : [])}
            edited={isEdited(edits, place)}
            open={openAt === server.id}
            tabStop={stop === column}
            onFocus={() => onFocus({ row: at, column })}
            onOpen={() => onOpen(place)}
          />
        );
      })}
    </tr>
  );
});
