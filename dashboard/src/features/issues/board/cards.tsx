import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type DragEvent, memo, useLayoutEffect, useRef, useState } from 'react';
import type { ListedIssue } from '../../../api/types';
import { IconButton } from '../../../parts/button';
import { classes } from '../../../parts/classes';
import { Ink, PriorityIcon, Tag } from '../../../parts/status';
import { Since } from '../../../parts/time';
import { Who } from '../../../parts/who';
import { reasonOf } from '../reason';
import styles from './board-screen.module.css';
import type { Drag } from './drag';

/** Up to so many cards a list is whole, so that the browser's own search finds them all. */
const WHOLE = 60;
const CARD_PX = 120;
const GAP_PX = 8;
const OVERSCAN = 8;

/** Which cards of a list are in the document: those in view and some around them. */
interface CardWindow {
  list: React.RefObject<HTMLUListElement | null>;
  /** The reference of each card, by which its height is known; undefined where the list is whole. */
  measure: ((card: Element | null) => void) | undefined;
  shown: { issue: ListedIssue; index: number }[];
  /** The heights of the cards before and after those that are shown. */
  before: number;
  after: number;
}

/** @param kept the id of a card that stays in the document, together with those between: one that is being dragged */
function useCardWindow(issues: readonly ListedIssue[], kept: string | null): CardWindow {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const enabled = issues.length > WHOLE;
  const cards = useWindowVirtualizer({
    count: issues.length,
    enabled,
    estimateSize: () => CARD_PX,
    getItemKey: (index) => issues[index]!.id,
    gap: GAP_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  // Several lists share the scroll position of the page, so none may correct it; the browser anchors it.
  cards.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  useLayoutEffect(() => {
    if (!enabled || list.current === null) return;
    const now = Math.round(list.current.getBoundingClientRect().top + window.scrollY);
    if (Math.abs(now - top) > 1) setTop(now);
  });
  if (!enabled)
    return {
      list,
      measure: undefined,
      shown: issues.map((issue, index) => ({ issue, index })),
      before: 0,
      after: 0,
    };
  const inView = cards.getVirtualItems();
  const at = kept === null ? -1 : issues.findIndex(({ id }) => id === kept);
  const indexes = [...inView.map(({ index }) => index), ...(at === -1 ? [] : [at])];
  const first = Math.min(...indexes);
  const last = Math.max(...indexes);
  const measured = cards.measurementsCache;
  return {
    list,
    measure: cards.measureElement,
    shown: issues.slice(first, last + 1).map((issue, offset) => ({ issue, index: first + offset })),
    before: (measured[first]?.start ?? top) - top,
    after: cards.getTotalSize() + top - (measured[last]?.end ?? top),
  };
}

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

interface TileProps {
  issue: ListedIssue;
  project: string;
  /** Whether a move waits for the service's answer. */
  moving: boolean;
  /** Whether it has left the column, and is shown until the pointer leaves it too. */
  gone: boolean;
  onDragStart: ((event: DragEvent, issue: ListedIssue) => void) | null;
  onDragEnd: (() => void) | null;
  /** Opens the menu that does what dragging does; null for those who may not. */
  onMove: ((issue: ListedIssue) => void) | null;
}

/** A card of the board: what it is, why it stands here, who has it and for how long. */
const Tile = memo(
  function Tile({ issue, project, moving, gone, onDragStart, onDragEnd, onMove }: TileProps) {
    const reason = reasonOf(issue);
    return (
      <div
        className={classes(styles.tile, moving && styles.moving, gone && styles.gone)}
        data-issue={issue.key}
        draggable={onDragStart !== null && !gone}
        onDragStart={(event) => onDragStart?.(event, issue)}
        onDragEnd={() => onDragEnd?.()}
      >
        <div className={styles.top}>
          <span className={styles.key}>{issue.key}</span>
          <PriorityIcon priority={issue.priority} />
          <span className={styles.end}>
            {issue.attempts > 0 && (
              <Tag tone="waiting" icon="refresh">
                {issue.attempts}
                <span className="sr-only"> failed attempts</span>
              </Tag>
            )}
            {issue.paused && <Tag icon="pause">Paused</Tag>}
            {gone && <Tag>Moved on</Tag>}
            {onMove && !gone && (
              <IconButton
                icon="more"
                label={`Move ${issue.key}`}
                small
                className={styles.menu}
                onClick={() => onMove(issue)}
              />
            )}
          </span>
        </div>
        <h3>
          <Link
            to="/p/$key/board"
            params={{ key: project }}
            search={(old: object) => ({ ...old, issue: issue.key })}
            resetScroll={false}
            draggable={false}
          >
            {issue.title}
          </Link>
        </h3>
        {reason && (
          <p className={styles.reason}>
            {reason.sign && <Ink {...reason.sign} />}
            <span>{reason.text}</span>
          </p>
        )}
        <div className={styles.low}>
          <Who party={issue.assignee} />
          <span className={styles.end}>
            <Since iso={issue.statusSince} />
          </span>
        </div>
      </div>
    );
  },
  // The functions change with every render of the board and always do the same.
  (before, after) =>
    before.issue === after.issue &&
    before.moving === after.moving &&
    before.gone === after.gone &&
    before.project === after.project &&
    (before.onMove === null) === (after.onMove === null),
);
