import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button, IconButton } from './button';
import { classes } from './classes';
import { sayNumber } from './count';
import { inputClass } from './field';
import styles from './log-view.module.css';
import { MarkedText } from './marked-text';
import { FilterBar } from './page';
import { clockTime } from './time';

/** A line of a log or a text. `key` stays the same while lines come and go before it. */
export interface LogLine {
  key: string | number;
  text: string;
  at?: string;
}

/** What is drawn of a line: some logs have their time in their text. */
interface ShownLine {
  text: string;
  at?: string | undefined;
}

interface LogViewProps {
  /** Names what the lines are of, within a sentence: "the log". */
  label: string;
  lines: readonly LogLine[];
  /** Whether new lines come and are scrolled to; absent where a text does not grow. */
  follow?: { on: boolean; set: (on: boolean) => void };
  /** How much is shown of how much. */
  extent?: ReactNode;
  /** Reads a line when it comes into view, so that what is not seen costs nothing. */
  shownOf?: (text: string) => ShownLine;
  /** Numbers the lines from 1. */
  numbered?: boolean;
  /** Loads what comes before the first line, and what comes after the last; absent where there is nothing. */
  onStart?: (() => void) | undefined;
  onEnd?: (() => void) | undefined;
  /** Goes to the last lines of all, where they are not loaded. */
  toEnd?: (() => void) | undefined;
  /** Properties of the search field, such as its key. */
  field?: object;
}

const LINE_PX = 20;
const OVERSCAN = 20;
/** A line may be megabytes long, and a browser lays out each character. */
const LONGEST = 4_000;

/** Where words stand in a text, in any case. */
export function matchesIn(lines: readonly LogLine[], words: string): number[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [];
  return lines.flatMap(({ text }, index) => (text.toLowerCase().includes(wanted) ? [index] : []));
}

/** Whether a line reads like a failure. It is only coloured; its words say what it is. */
export function readsLikeFailure(text: string): boolean {
  return /\b(error|fatal|exception|panic|failed|traceback)\b/i.test(text);
}

/** The beginning of a long line, and how much of it is left out. */
export function cutLine(text: string): string {
  if (text.length <= LONGEST) return text;
  const rest = sayNumber(text.length - LONGEST);
  return `${text.slice(0, LONGEST)} … and ${rest} more characters`;
}

/** Lines of any number, of which those in view are drawn: followed or paused, searched, wrapped or as they are. */
export function LogView({ label, lines, follow, extent, field, toEnd, ...body }: LogViewProps) {
  const [wraps, setWraps] = useState(false);
  const [words, setWords] = useState('');
  const [step, setStep] = useState(0);
  const matches = useMemo(() => matchesIn(lines, words), [lines, words]);
  const at = matches.length === 0 ? -1 : ((step % matches.length) + matches.length) % matches.length;
  const [jumps, setJumps] = useState(0);
  return (
    <div className={styles.view}>
      <FilterBar end={extent}>
        {follow && (
          <Button
            small
            icon={follow.on ? 'pause' : 'progress'}
            aria-pressed={!follow.on}
            onClick={() => follow.set(!follow.on)}
          >
            {follow.on ? 'Pause' : 'Follow'}
          </Button>
        )}
        <Button
          small
          icon="down"
          onClick={() => {
            toEnd?.();
            setJumps(jumps + 1);
          }}
        >
          Jump to the end
        </Button>
        <Button
          small
          aria-pressed={wraps}
          className={classes(wraps && styles.pressed)}
          onClick={() => setWraps(!wraps)}
        >
          Wrap lines
        </Button>
        <input
          className={classes(inputClass, styles.find)}
          type="search"
          {...field}
          aria-label={`Search ${label}`}
          placeholder="Search"
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setStep(0);
            follow?.set(false);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') setStep(step + (event.shiftKey ? -1 : 1));
          }}
        />
        {words.trim() !== '' && (
          <span className={styles.found}>
            <span role="status">
              {matches.length === 0 ? 'No line' : `${at + 1} of ${sayNumber(matches.length)} lines`}
            </span>
            <IconButton
              small
              icon="down"
              label="Previous line"
              className={styles.up}
              onClick={() => setStep(step - 1)}
            />
            <IconButton small icon="down" label="Next line" onClick={() => setStep(step + 1)} />
          </span>
        )}
      </FilterBar>
      <Lines
        {...body}
        key={wraps ? 'wrapped' : 'plain'}
        label={label}
        lines={lines}
        follow={follow}
        wraps={wraps}
        matches={matches}
        current={matches[at] ?? null}
        jumps={jumps}
      />
    </div>
  );
}

interface LinesProps extends Omit<LogViewProps, 'extent' | 'field' | 'follow' | 'toEnd'> {
  follow: LogViewProps['follow'];
  wraps: boolean;
  /** The lines that have the words, in their order. */
  matches: readonly number[];
  current: number | null;
  /** How often a person asked for the end. */
  jumps: number;
}

const PAUSING = new Set(['ArrowUp', 'PageUp', 'Home']);

function Lines({
  label,
  lines,
  follow,
  wraps,
  matches,
  current,
  jumps,
  shownOf,
  numbered,
  ...edges
}: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => lines[index]!.key,
    overscan: OVERSCAN,
  });
  useEdges(box, lines, edges);
  const isFollowing = follow?.on === true;
  const last = lines.at(-1)?.key;
  // After a jump the view stays at the end while more of it is loaded, until the person moves.
  const sticks = useRef(false);
  useEffect(() => {
    sticks.current = jumps > 0;
  }, [jumps]);
  useEffect(() => {
    if (isFollowing || sticks.current) rows.scrollToIndex(lines.length - 1, { align: 'end' });
    // New lines alone move the view, not each drawing.
  }, [last, isFollowing, jumps]);
  useEffect(() => {
    if (current !== null) rows.scrollToIndex(current, { align: 'center' });
  }, [current]);
  const found = useMemo(() => new Set(matches), [matches]);
  const pause = () => {
    sticks.current = false;
    if (isFollowing) follow.set(false);
  };
  return (
    <div
      className={classes(styles.log, wraps && styles.wraps)}
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={`Lines of ${label}`}
      onWheel={({ deltaY }) => deltaY < 0 && pause()}
      onTouchMove={pause}
      onKeyDown={(event: KeyboardEvent) => PAUSING.has(event.key) && pause()}
    >
      <div className={styles.lines} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const shown = shownOf?.(lines[index]!.text) ?? lines[index]!;
          return (
            <div
              key={key}
              ref={wraps ? rows.measureElement : undefined}
              data-index={index}
              className={classes(
                styles.line,
                found.has(index) && styles.match,
                index === current && styles.current,
              )}
              data-failure={readsLikeFailure(shown.text) || undefined}
              style={{ transform: `translateY(${start}px)` }}
            >
              {numbered && <span className={styles.number}>{index + 1}</span>}
              {shown.at && <time dateTime={shown.at}>{clockTime(shown.at)}</time>}
              <MarkedText text={cutLine(shown.text)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const NEAR_PX = 400;

/** Loads more where the view comes near an edge, and keeps the lines in view where they are when some come before them. */
function useEdges(
  box: { current: HTMLDivElement | null },
  lines: readonly LogLine[],
  { onStart, onEnd }: Pick<LogViewProps, 'onStart' | 'onEnd'>,
): void {
  const before = useRef(lines);
  useLayoutEffect(() => {
    const first = before.current[0]?.key;
    const added = first === undefined ? -1 : lines.findIndex(({ key }) => key === first);
    const removed = before.current.findIndex(({ key }) => key === lines[0]?.key);
    before.current = lines;
    if (added > 0) box.current?.scrollBy({ top: added * LINE_PX });
    else if (removed > 0) box.current?.scrollBy({ top: -removed * LINE_PX });
  }, [lines, box]);
  const latest = useRef({ onStart, onEnd });
  latest.current = { onStart, onEnd };
  useEffect(() => {
    const element = box.current;
    const look = (): void => {
      if (element === null) return;
      const below = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (element.scrollTop < NEAR_PX) latest.current.onStart?.();
      else if (below < NEAR_PX) latest.current.onEnd?.();
    };
    element?.addEventListener('scroll', look, { passive: true });
    return () => element?.removeEventListener('scroll', look);
  }, [box]);
}
