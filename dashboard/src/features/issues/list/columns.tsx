import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from 'react';
import { Icon } from '../../../parts/icon';
import type { Sort } from '../queries';
import type { Column } from './list-view';
import styles from './list-screen.module.css';

/** Columns whose width a person may choose, in pixels. The title takes what they leave. */
const resizable = {
  status: { name: 'Status', width: 104, least: 32, most: 160, edge: 'right' },
  why: { name: 'Why', width: 232, least: 96, most: 560, edge: 'left' },
  who: { name: 'Assignee', width: 136, least: 72, most: 320, edge: 'left' },
} as const;

type Resizable = keyof typeof resizable;
type Widths = Record<Resizable, number>;

const KEPT = 'awp.list.columns';
const names = Object.keys(resizable) as Resizable[];

const within = (name: Resizable, width: number): number =>
  Math.round(Math.min(resizable[name].most, Math.max(resizable[name].least, width)));

/** The widths that were chosen in this browser; a value that no column can have is left out. */
function keptWidths(): Widths {
  const widths = Object.fromEntries(names.map((name) => [name, resizable[name].width])) as Widths;
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Record<Resizable, unknown>>;
    for (const name of names) if (typeof kept[name] === 'number') widths[name] = within(name, kept[name]);
  } catch {
    // Not written by this page.
  }
  return widths;
}

/** The widths of the columns, which this browser keeps. */
export function useColumnWidths() {
  const [widths, setWidths] = useState(keptWidths);
  const set = (name: Resizable, width: number) => {
    const next = { ...widths, [name]: within(name, width) };
    setWidths(next);
    localStorage.setItem(KEPT, JSON.stringify(next));
  };
  const style = Object.fromEntries(names.map((name) => [`--${name}`, `${widths[name]}px`])) as CSSProperties;
  return { widths, set, style };
}

/** The cells of a row, in their order, with their widths where there is room, where there is less, and in compact rows there. */
const cells = [
  ['check', '1.5rem', '1.5rem', '1.5rem'],
  ['key', '5.25rem', '5rem', '5rem'],
  ['status', 'var(--status)', 'min(var(--status), 6.5rem)', '1.25rem'],
  ['priority', '3.75rem', '3.75rem', '1.25rem'],
  ['title', 'minmax(8rem, 1fr)', 'minmax(8rem, 1fr)', 'minmax(8rem, 1fr)'],
  ['why', 'var(--why)', '', 'min(var(--why), 13rem)'],
  ['who', 'var(--who)', 'min(var(--who), 9rem)', '1.25rem'],
  ['time', '5rem', '5rem', '5rem'],
] as const;

/** The grid of the rows without the hidden columns. Where there is less room, the reason is a second line of the title. */
export function gridOf(hidden: readonly Column[]): CSSProperties {
  const shown = cells.filter(([name]) => !(hidden as readonly string[]).includes(name));
  const areas = (line: typeof shown) => `'${line.map(([name]) => name).join(' ')}'`;
  const wide = areas(shown);
  const narrow = shown.filter(([name]) => name !== 'why');
  const first = areas(narrow);
  const both = `${first} ${first.replace('title', 'why')}`;
  const hasWhy = narrow.length < shown.length;
  return {
    '--tracks': shown.map(([, width]) => width).join(' '),
    '--areas': wide,
    '--narrow-tracks': narrow.map(([, , width]) => width).join(' '),
    '--narrow-areas': first,
    '--narrow-lines': hasWhy ? both : first,
    '--narrow-rows': hasWhy ? '1.25rem 1.125rem' : 'auto',
    '--compact-tracks': shown.map(([, , , width]) => width).join(' '),
  } as CSSProperties;
}

/** The field of the time that rows show: the one that they are ordered by, or that orders equal ones. */
export const timeOf = (sort: Sort): 'updatedAt' | 'createdAt' =>
  sort.endsWith('updatedAt') ? 'updatedAt' : 'createdAt';

export const timeWords = { updatedAt: 'Updated', createdAt: 'Created' } as const;

/** The order that the head of a column gives first. */
const natural = {
  status: 'status',
  priority: '-priority',
  updatedAt: '-updatedAt',
  createdAt: '-createdAt',
} as const;

type SortField = keyof typeof natural;

const reversed = (sort: Sort): Sort => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`) as Sort;

interface HeadsProps {
  sort: Sort;
  onSort: (sort: Sort) => void;
  columns: ReturnType<typeof useColumnWidths>;
  /** The box that chooses all; absent for those who may not change issues. */
  choose: React.ReactNode;
}

/** The heads of the columns: they order the list, and their edges change the widths. */
export function Heads({ sort, onSort, columns, choose }: HeadsProps) {
  const time = timeOf(sort);
  const sorting = { sort, onSort };
  return (
    <div role="rowgroup" className={styles.heads}>
      <div role="row" className={styles.cells} aria-rowindex={1}>
        <span role="columnheader" className={styles.check}>
          {choose ?? <span className="sr-only">Choice</span>}
        </span>
        <span role="columnheader" className={styles.key}>
          Key
        </span>
        <SortHead className={styles.status} name="Status" field="status" {...sorting}>
          <Edge of="status" columns={columns} />
        </SortHead>
        <SortHead className={styles.priority} name="Priority" field="priority" {...sorting} />
        <span role="columnheader" className={styles.title}>
          Title
        </span>
        <span role="columnheader" className={styles.why}>
          Why
          <Edge of="why" columns={columns} />
        </span>
        <span role="columnheader" className={styles.who}>
          <span>Assignee</span>
          <Edge of="who" columns={columns} />
        </span>
        <SortHead className={styles.time} name={timeWords[time]} field={time} {...sorting} />
      </div>
    </div>
  );
}

interface SortHeadProps extends Pick<HeadsProps, 'sort' | 'onSort'> {
  className: string | undefined;
  name: string;
  field: SortField;
  /** The edge of the column. */
  children?: React.ReactNode;
}

function SortHead({ className, name, field, sort, onSort, children }: SortHeadProps) {
  const sorts = sort.replace('-', '') === field;
  const descending = sort.startsWith('-');
  return (
    <span
      role="columnheader"
      className={className}
      aria-sort={sorts ? (descending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        className={styles.sort}
        data-sorts={sorts || undefined}
        onClick={() => onSort(sorts ? reversed(sort) : natural[field])}
      >
        <span>{name}</span>
        <span className={styles.direction} data-up={!descending || undefined}>
          <Icon name="down" small />
        </span>
      </button>
      {children}
    </span>
  );
}

const STEP_PX = 16;

/** The edge of a column: a pointer drags it, arrow keys move it, and a double click or Home gives the first width back. */
function Edge({ of: name, columns: { widths, set } }: { of: Resizable; columns: HeadsProps['columns'] }) {
  const { name: words, edge, width, least, most } = resizable[name];
  const sign = edge === 'right' ? 1 : -1;
  const drag = ({ currentTarget, clientX: from, pointerId }: PointerEvent<HTMLSpanElement>) => {
    const before = widths[name];
    currentTarget.setPointerCapture(pointerId);
    currentTarget.onpointermove = ({ clientX }) => set(name, before + sign * (clientX - from));
    currentTarget.onlostpointercapture = () => {
      currentTarget.onpointermove = null;
    };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -STEP_PX, ArrowRight: STEP_PX };
    const by = steps[event.key];
    if (by === undefined && event.key !== 'Home') return;
    event.preventDefault();
    set(name, by === undefined ? width : widths[name] + sign * by);
  };
  return (
    <span
      role="separator"
      tabIndex={0}
      className={styles.edge}
      data-edge={edge}
      aria-orientation="vertical"
      aria-label={`Width of ${words}`}
      aria-valuenow={widths[name]}
      aria-valuemin={least}
      aria-valuemax={most}
      onPointerDown={drag}
      onDoubleClick={() => set(name, width)}
      onKeyDown={onKeyDown}
    />
  );
}
