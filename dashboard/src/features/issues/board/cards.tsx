import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type DragEvent, memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ListedIssue } from '../../../api/types';
import { IconButton } from '../../../parts/button';
import { classes } from '../../../parts/classes';
import { Ink, LabelChips, PriorityIcon, PullRequestCount, SubIssueCount, Tag } from '../../../parts/status';
import { Since } from '../../../parts/time';
import { Who } from '../../../parts/who';
import { reasonOf } from '../reason';
import { currentDensity } from '../../../theme/preferences';
import styles from './board-screen.module.css';

/** Up to so many cards a list is whole, so that the browser's own search finds them all. */
const WHOLE = 60;
/** About the height of a card; each is measured once it is drawn. */
const cardPx = (): number => (currentDensity() === 'compact' ? 70 : 120);
const GAP_PX = 8;
const OVERSCAN = 8;

/** What dragging a card needs; see column.tsx for what it does. */
export interface CardDrag {
  /** The card that is being dragged. */
  dragged: ListedIssue | null;
  start: (event: DragEvent, issue: ListedIssue) => void;
  end: () => void;
}

/** Which cards of a list are in the document: those in view and some around them. */
interface CardWindow {
  list: RefObject<HTMLUListElement | null>;
  /** The reference of each card, by which its height is known; undefined where the list is whole. */
  measure: ((card: Element | null) => void) | undefined;
  shown: { issue: ListedIssue; index: number }[];
  /** The heights of the cards before and after those that are shown. */
  before: number;
  after: number;
}

/**
 * @param scroller what the list scrolls in, with others
 * @param kept the id of a card that stays in the document, together with those between: one that is being dragged
 * @param revealed the key of a card that the list scrolls to
 */
function useCardWindow(
  issues: readonly ListedIssue[],
  scroller: HTMLElement | null,
  kept: string | null,
  revealed: string | null,
): CardWindow {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const enabled = issues.length > WHOLE;
  const cards = useVirtualizer({
    count: issues.length,
    enabled,
    getScrollElement: () => scroller,
    estimateSize: cardPx,
    getItemKey: (index) => issues[index]!.id,
    gap: GAP_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  // Two lists may share the scroll position, so none may correct it; the browser anchors it.
  cards.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  useLayoutEffect(() => {
    if (!enabled || list.current === null) return;
    const now = list.current.offsetTop;
    if (Math.abs(now - top) > 1) setTop(now);
  });
  const place = revealed === null ? -1 : issues.findIndex(({ key }) => key === revealed);
  useEffect(() => {
    if (place === -1) return;
    if (enabled) cards.scrollToIndex(place, { align: 'center' });
    else list.current?.children[place]?.scrollIntoView({ block: 'nearest' });
    // Its column may be beside the view too.
    list.current?.closest('section')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [cards, enabled, place]);
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
  /** What the column scrolls in. */
  scroller: HTMLElement | null;
  /** The ids of cards whose move the service has not confirmed. */
  moving: ReadonlySet<string>;
  /** The ids of cards that have left the column under the pointer. */
  gone: ReadonlySet<string>;
  /** The key of an issue that was just created. */
  revealed: string | null;
  /** Null for those who may not move cards. */
  drag: CardDrag | null;
  onMove: (issue: ListedIssue) => void;
}

/** The cards of a column, or of a group in it. Of a long one, only those near the view are in the document. */
export function Cards({ issues, project, scroller, moving, gone, revealed, drag, onMove }: CardsProps) {
  const kept = drag?.dragged?.id ?? null;
  const { list, measure, shown, before, after } = useCardWindow(issues, scroller, kept, revealed);
  return (
    <ul className={styles.tiles} ref={list} style={{ paddingBlock: `${before}px ${after}px` }}>
      {shown.map(({ issue, index }) => (
        <li key={issue.id} ref={measure} {...(measure && placeOf(index, issues.length))}>
          <Tile
            issue={issue}
            project={project}
            moving={moving.has(issue.id)}
            gone={gone.has(issue.id)}
            isNew={revealed === issue.key}
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
  /** Whether it was just created. */
  isNew: boolean;
  onDragStart: ((event: DragEvent, issue: ListedIssue) => void) | null;
  onDragEnd: (() => void) | null;
  /** Opens the menu that does what dragging does; null for those who may not. */
  onMove: ((issue: ListedIssue) => void) | null;
}

/** A card of the board: what it is, why it stands here, who has it and for how long. */
const Tile = memo(
  function Tile({ issue, project, moving, gone, isNew, onDragStart, onDragEnd, onMove }: TileProps) {
    const reason = reasonOf(issue);
    return (
      <div
        className={classes(styles.tile, moving && styles.moving, gone && styles.gone)}
        data-issue={issue.key}
        data-new={isNew || undefined}
        draggable={onDragStart !== null && !gone}
        onDragStart={(event) => onDragStart?.(event, issue)}
        onDragEnd={() => onDragEnd?.()}
      >
        <div className={styles.top}>
          <span className={styles.key}>{issue.key}</span>
          <PriorityIcon priority={issue.priority} />
          <span className={styles.end}>
            {issue.code && <PullRequestCount {...issue.code} />}
            <SubIssueCount {...issue.children} />
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
        {issue.labels.length > 0 && (
          <div className={styles.labels}>
            <LabelChips labels={issue.labels} most={3} />
          </div>
        )}
        {reason && (
          <p className={styles.reason} title={reason.text}>
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
    before.isNew === after.isNew &&
    before.project === after.project &&
    (before.onMove === null) === (after.onMove === null),
);
