import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { classes } from '../../../../parts/classes';
import { sayNumber } from '../../../../parts/count';
import { Icon } from '../../../../parts/icon';
import { MarkedText } from '../../../../parts/marked-text';
import {
  type Axis,
  type Cluster,
  clustersOf,
  lasting,
  longestOf,
  type Moment,
  momentOf,
  stretchOf,
  ticksOf,
} from './axis';
import { type LaneId, laneIds, laneNames, type Lanes, type Mark } from './lanes';
import styles from './run.module.css';

/** The width of a mark that a finger can hit (WCAG 2.5.8). */
const TARGET_PX = 24;
const HINT = 'Choose a mark to narrow the timeline below to its time.';

export interface Chosen {
  chosen: Moment | null;
  /** Narrows the timeline to a stretch of time; null shows all of it. */
  onChoose: (moment: Moment | null) => void;
}

/** The lanes, drawn. One stop of the tabulator key; arrows move within. */
export function Chart({
  lanes,
  axis,
  label,
  chosen,
  onChoose,
}: Chosen & { lanes: Lanes; axis: Axis; label: string }) {
  const chart = useRef<HTMLDivElement>(null);
  const width = useWidth(chart);
  const hatch = useId();
  const [active, setActive] = useState<string | null>(null);
  const [readout, setReadout] = useState<string | null>(null);
  const rows = laneIds.map((id) => ({
    id,
    marks: lanes[id],
    targets: clustersOf(lanes[id], axis, { width, least: TARGET_PX }),
  }));
  const keyOf = (lane: LaneId, { marks }: Cluster<Mark>): string => `${lane} ${marks[0]!.id}`;
  const all = rows.flatMap(({ id, targets }) => targets.map((target) => keyOf(id, target)));
  const tabStop = active !== null && all.includes(active) ? active : all[0];
  return (
    <>
      <div
        className={styles.chart}
        role="group"
        aria-label={`${label}; arrow keys move between marks`}
        onKeyDown={(event) => moveFocus(event, chart.current)}
        onPointerLeave={() => setReadout(null)}
      >
        <svg width="0" height="0" aria-hidden="true">
          <pattern
            id={hatch}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <path d="M0 0V6" className={styles.hatch} />
          </pattern>
        </svg>
        {rows.map(({ id, marks, targets }) => (
          <div key={id} className={styles.lane} role="group" aria-label={laneNames[id]}>
            <span className={styles.name} aria-hidden="true">
              {laneNames[id]}
            </span>
            <div className={styles.plot} data-lane={id} ref={id === 'status' ? chart : undefined}>
              <Drawing lane={id} marks={marks} axis={axis} width={width} hatch={hatch} chosen={chosen} />
              <Signs marks={marks} axis={axis} width={width} />
              {targets.map((target) => {
                const key = keyOf(id, target);
                const words = wordsOf(id, target);
                return (
                  <button
                    key={key}
                    type="button"
                    className={classes(styles.target, styles[longestOf(target.marks).tone])}
                    style={{ left: target.left, width: target.width }}
                    aria-label={`${words}, ${timeOf(target)}`}
                    aria-pressed={isChosen(chosen, target)}
                    tabIndex={key === tabStop ? 0 : -1}
                    onPointerEnter={() => setReadout(`${timeOf(target)} · ${words}`)}
                    onFocus={() => {
                      setActive(key);
                      setReadout(`${timeOf(target)} · ${words}`);
                    }}
                    onBlur={() => setReadout(null)}
                    onClick={() => onChoose(isChosen(chosen, target) ? null : momentFrom(id, target))}
                  >
                    <Label target={target} />
                  </button>
                );
              })}
            </div>
          </div>
        ))}
        <Ticks axis={axis} width={width} />
      </div>
      <p className={styles.readout} aria-hidden="true">
        <MarkedText text={readout ?? HINT} />
      </p>
    </>
  );
}

const LETTER_PX = 6.6;
const PADDING_PX = 14;
const SIGN_PX = 18;

/** What is written on a bar that is wide enough for all of it. */
function Label({ target: { marks, width } }: { target: Cluster<Mark> }) {
  const { short = '', icon } = marks[0]!;
  const sign = icon ? SIGN_PX : 0;
  if (marks.length > 1 || width < sign + short.length * LETTER_PX + PADDING_PX) return null;
  return (
    <span aria-hidden="true" className={icon && styles.besideSign}>
      {short}
    </span>
  );
}

/** The signs of marks that have one, also of those too narrow for words: a colour alone says nothing to many. */
function Signs({ marks, axis, width }: { marks: readonly Mark[]; axis: Axis; width: number }) {
  return clustersOf(marks, axis, { width, least: 2 }).map(({ left, width: wide, marks: some }) => {
    const { id, icon, tone } = longestOf(some);
    if (icon === undefined || wide < SIGN_PX) return null;
    return (
      <span key={id} className={classes(styles.sign, styles[tone])} style={{ left }}>
        <Icon name={icon} small />
      </span>
    );
  });
}

const isChosen = (chosen: Moment | null, { from, to }: Cluster<Mark>): boolean =>
  chosen !== null && chosen.from === from && chosen.to === to;

const momentFrom = (lane: LaneId, target: Cluster<Mark>): Moment => ({
  from: target.from,
  to: target.to,
  words: `${wordsOf(lane, target)}, ${timeOf(target)}`,
});

const units: Record<LaneId, string> = {
  status: 'statuses',
  leases: 'leases',
  turns: 'turns',
  calls: 'tool calls',
  gates: 'questions',
  comments: 'comments',
};

function wordsOf(lane: LaneId, { marks }: Cluster<Mark>): string {
  if (marks.length === 1) return marks[0]!.words;
  const failed = lane === 'calls' ? marks.filter(({ tone }) => tone === 'danger').length : 0;
  return `${sayNumber(marks.length)} ${units[lane]}${failed > 0 ? `, ${failed} without success` : ''}`;
}

function timeOf(target: Cluster<Mark>): string {
  const isOpen = target.marks.some(({ open }) => open === true);
  const length = target.to - target.from;
  if (isOpen) return `${momentOf(target.from)}, for ${lasting(length)} until now`;
  return length === 0 ? momentOf(target.from) : `${stretchOf(target)}, ${lasting(length)}`;
}

/** Moves the focus along a lane with the arrows to the side, and to the nearest mark of the next lane with the others. */
function moveFocus(event: KeyboardEvent, plot: HTMLElement | null): void {
  const button = event.target as HTMLElement;
  const lane = button.closest<HTMLElement>('[data-lane]');
  const lanesIn = [
    ...(plot?.parentElement?.parentElement?.querySelectorAll<HTMLElement>('[data-lane]') ?? []),
  ];
  if (lane === null) return;
  const marks = [...lane.querySelectorAll<HTMLElement>('button')];
  const at = marks.indexOf(button);
  const sideways: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: marks.length - 1,
  };
  const by: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };
  let next: HTMLElement | undefined;
  if (event.key in sideways) next = marks[sideways[event.key]!];
  else if (event.key in by)
    next = nearestIn(lanesIn, lanesIn.indexOf(lane), by[event.key]!, button.offsetLeft);
  else return;
  event.preventDefault();
  next?.focus();
}

function nearestIn(lanesIn: HTMLElement[], from: number, by: number, left: number): HTMLElement | undefined {
  for (let at = from + by; at >= 0 && at < lanesIn.length; at += by) {
    const marks = [...lanesIn[at]!.querySelectorAll<HTMLElement>('button')];
    const distance = (mark: HTMLElement) => Math.abs(mark.offsetLeft - left);
    if (marks.length > 0) return marks.toSorted((a, b) => distance(a) - distance(b))[0];
  }
  return undefined;
}

interface DrawingProps {
  lane: LaneId;
  marks: readonly Mark[];
  axis: Axis;
  width: number;
  hatch: string;
  chosen: Moment | null;
}

/** How far a mark stays from the edges of its lane, and its least width. Calls without success are taller than the others. */
const shapes: Record<LaneId, { inset: number; least: number; round: number }> = {
  status: { inset: 2, least: 2, round: 3 },
  leases: { inset: 2, least: 3, round: 3 },
  turns: { inset: 4, least: 4, round: 2 },
  calls: { inset: 8, least: 2, round: 0 },
  gates: { inset: 3, least: 4, round: 3 },
  comments: { inset: 8, least: 9, round: 1 },
};
const LANE_PX = 26;

/** The marks as they lie, finer than what can be pressed; folded time is hatched, and the chosen time is tinted. */
function Drawing({ lane, marks, axis, width, hatch, chosen }: DrawingProps) {
  const { inset, least, round } = shapes[lane];
  const band = chosen && clustersOf([chosen], axis, { width, least: 4 })[0];
  return (
    <svg width="100%" height={LANE_PX} aria-hidden="true">
      {axis.pieces
        .filter(({ folded }) => folded)
        .map(({ left, right, from }) => (
          <rect
            key={from}
            className={styles.fold}
            x={left * width}
            width={(right - left) * width}
            height={LANE_PX}
          />
        ))}
      {band && <rect className={styles.band} x={band.left} width={band.width} height={LANE_PX} />}
      {byTone(marks).flatMap(([tone, some]) =>
        clustersOf(some, axis, { width, least }).map(({ left, width: wide, marks: [first] }) => {
          const edge = lane === 'calls' && tone === 'danger' ? 3 : inset;
          const place = { x: left, width: wide, y: edge, height: LANE_PX - 2 * edge };
          const corners = lane === 'comments' && tone === 'plain' ? least / 2 : round;
          return (
            <g key={first!.id} className={classes(styles.mark, styles[lane], styles[tone])}>
              <rect {...place} rx={corners} />
              {lane === 'gates' && (
                <rect {...place} rx={corners} fill={`url(#${hatch})`} className={styles.hatched} />
              )}
            </g>
          );
        }),
      )}
    </svg>
  );
}

/** Marks of one look are drawn together, those that matter most on top. */
function byTone(marks: readonly Mark[]): [Mark['tone'], Mark[]][] {
  const groups = new Map<Mark['tone'], Mark[]>();
  for (const mark of marks) groups.set(mark.tone, [...(groups.get(mark.tone) ?? []), mark]);
  return [...groups].toSorted(([a], [b]) => Number(a === 'danger') - Number(b === 'danger'));
}

/** Below the lanes: the time, and how much of it each fold hides. */
function Ticks({ axis, width }: { axis: Axis; width: number }) {
  return (
    <div className={styles.lane} aria-hidden="true">
      <span className={styles.name} />
      <div className={styles.ticks}>
        {ticksOf(axis, width).map(({ left, words, folded }, index) => (
          <span key={index} className={folded ? styles.folded : undefined} style={{ left }}>
            {words}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The width of an element in pixels, also after it changed. */
function useWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(640);
  useEffect(() => {
    if (of.current === null) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(of.current);
    return () => observer.disconnect();
  }, [of]);
  return width;
}
