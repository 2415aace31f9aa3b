import type { ListedIssue } from '../../../api/types';
import styles from './board-screen.module.css';
import { useCardWindow } from './card-window';
import type { Drag } from './drag';
import { Tile } from './tile';

interface CardsProps {
  issues: readonly ListedIssue[];
  project: string;
  /** The ids of cards whose move the service has not confirmed. */
  moving: ReadonlySet<string>;
  /** The ids of cards that have left the column under the pointer. */
  gone: ReadonlySet<string>;
  /** Null for those who may not move cards. */
  drag: Drag | null;
  onMove: (issue: ListedIssue) => void;
}

/** The cards of a column, or of a group in it. Of a long one, only those near the view are in the document. */
export function Cards({ issues, project, moving, gone, drag, onMove }: CardsProps) {
  const { list, measure, shown, before, after } = useCardWindow(issues, drag?.dragged?.id ?? null);
  return (
    <ul className={styles.tiles} ref={list} style={{ paddingBlock: `${before}px ${after}px` }}>
      {shown.map(({ issue, index }) => (
        <li key={issue.id} ref={measure} {...(measure && placeOf(index, issues.length))}>
          <Tile
            issue={issue}
            project={project}
            moving={moving.has(issue.id)}
            gone={gone.has(issue.id)}
            onDragStart={drag?.start ?? null}
            onDragEnd={drag?.end ?? null}
            onMove={drag ? onMove : null}
          />
        </li>
      ))}
    </ul>
  );
}

/** For the virtualizer, and for people who hear the list: not all cards are in the document. */
const placeOf = (index: number, count: number) => ({
  'data-index': index,
  'aria-posinset': index + 1,
  'aria-setsize': count,
});
