import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useMemo, useRef, useState } from 'react';
import type { FleetAgent } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { useSteps } from '../../../keyboard/use-steps';
import { classes } from '../../../parts/classes';
import { countOf } from '../../../parts/count';
import { Icon } from '../../../parts/icon';
import { MarkedText } from '../../../parts/marked-text';
import { Ink, Tag } from '../../../parts/status';
import { Since } from '../../../parts/time';
import { usePhone } from '../../../parts/page';
import { costOf } from '../../../shared/usage/queries';
import { currentDensity } from '../../../theme/preferences';
import { BudgetBar, Figure, Noun, Spark } from '../figures';
import { agentState } from '../queries';
import type { Selection } from './bulk-bar';
import { type FleetView, nextSort, type SortColumn, useHeldOrder } from './fleet-order';
import styles from './fleet-rows.module.css';

/** Two small lines with air around them, or as close as they can be read. */
const rowPx = (): number => (currentDensity() === 'compact' ? 36 : 44);
const OVERSCAN = 10;

interface Column {
  sort: SortColumn | null;
  name: string;
  /** What stands in the head of a narrow column; its name is read all the same. */
  short?: string;
  className: string | undefined;
}

const columns: readonly Column[] = [
  { sort: 'name', name: 'Agent', className: styles.name },
  { sort: 'state', name: 'State', className: styles.state },
  { sort: null, name: 'Works on, or why not', className: styles.now },
  { sort: 'activity', name: 'Last 24 hours', short: '24 h', className: styles.spark },
  { sort: 'turns', name: 'Turns today', short: 'Turns', className: styles.turns },
  { sort: 'finished', name: 'Finished today', short: 'Done', className: styles.done },
  { sort: 'errors', name: 'Tool errors today', short: 'Errors', className: styles.errors },
  { sort: 'cost', name: 'Cost today', short: 'Cost', className: styles.cost },
  { sort: 'heartbeat', name: 'Last heartbeat', short: 'Heartbeat', className: styles.beat },
];

interface FleetRowsProps {
  agents: readonly FleetAgent[];
  view: FleetView;
  onView: (view: FleetView) => void;
  selection: Selection | null;
}

/** All agents, one line each, in an order that holds while a person points at them. Rows outside the view are not drawn. */
export function FleetRows({ agents, view, onView, selection }: FleetRowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const { rows: ordered, hold, release } = useHeldOrder(agents, JSON.stringify(view));
  // On a phone each row is a card as high as its text, and the browser leaves out what is out of sight.
  const phone = usePhone();
  const rows = useWindowVirtualizer({
    count: ordered.length,
    estimateSize: rowPx,
    overscan: phone ? ordered.length : OVERSCAN,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  useSteps(list, { selector: '[data-agent] a[data-name]', noun: 'agent' });
  const ids = ordered.map(({ id }) => id);
  const latest = useRef({ selection, ids });
  latest.current = { selection, ids };
  const choose = useCallback((id: string, range: boolean) => {
    const { selection: chosen, ids: all } = latest.current;
    chosen?.toggle(id, range ? all : undefined);
  }, []);
  const current = focused !== null && ids.includes(focused) ? focused : null;
  const choice = (name: string, shortcut: string, range?: readonly string[]) => ({
    ...({ id: `choose ${shortcut}`, name, icon: 'check', group: 'This screen', shortcut } as const),
    available: selection !== null && current !== null,
    perform: () => current !== null && selection?.toggle(current, range),
  });
  useActions([
    choice('Choose the agent for a change of several', 'x'),
    choice('Choose all from the last chosen agent to this one', 'X', ids),
  ]);
  const most = useMemo(() => Math.max(...agents.flatMap(({ activity }) => activity)), [agents]);
  return (
    <div
      className={classes(styles.table, selection && styles.choosable)}
      role="table"
      aria-label="Agents"
      aria-rowcount={ordered.length + 1}
    >
      <Head view={view} onView={onView} selection={selection} ids={ids} />
      <div
        className={styles.body}
        role="rowgroup"
        ref={list}
        style={phone ? {} : { height: rows.getTotalSize() }}
        onPointerEnter={hold}
        onPointerLeave={release}
        onFocus={({ target }) => {
          hold();
          setFocused(target.closest<HTMLElement>('[data-agent]')?.dataset['agent'] ?? null);
        }}
        onBlur={({ relatedTarget }) => !list.current?.contains(relatedTarget) && release()}
      >
        {rows.getVirtualItems().map(({ index, start, size }) => (
          <div
            key={ordered[index]!.id}
            className={classes(styles.row, selection?.has(ordered[index]!.id) && styles.chosen)}
            role="row"
            aria-rowindex={index + 2}
            data-agent={ordered[index]!.id}
            style={
              phone ? {} : { height: size, transform: `translateY(${start - rows.options.scrollMargin}px)` }
            }
          >
            <Row
              agent={ordered[index]!}
              most={most}
              chosen={selection && selection.has(ordered[index]!.id)}
              onChoose={choose}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

type HeadProps = Pick<FleetRowsProps, 'view' | 'onView' | 'selection'> & { ids: readonly string[] };

function Head({ view, onView, selection, ids }: HeadProps) {
  const chosen = ids.filter((id) => selection?.has(id)).length;
  return (
    <div className={styles.head} role="rowgroup">
      <div className={styles.heads} role="row" aria-rowindex={1}>
        {selection && (
          <span role="columnheader" className={styles.box}>
            <input
              type="checkbox"
              aria-label="Choose all agents that are listed"
              checked={chosen > 0 && chosen === ids.length}
              ref={(box) => {
                if (box) box.indeterminate = chosen > 0 && chosen < ids.length;
              }}
              onChange={() => selection.set(chosen === ids.length ? [] : ids)}
            />
          </span>
        )}
        {columns.map((column) => (
          <ColumnHead key={column.name} column={column} view={view} onView={onView} />
        ))}
      </div>
    </div>
  );
}

function ColumnHead({
  column: { sort, name, short, className },
  view,
  onView,
}: Pick<FleetRowsProps, 'view' | 'onView'> & { column: Column }) {
  const present = view.sort ?? 'name';
  const [ascending, descending] = [present === sort, present === `-${sort}`];
  return (
    <span
      role="columnheader"
      className={className}
      aria-sort={ascending ? 'ascending' : descending ? 'descending' : undefined}
    >
      {sort === null ? (
        name
      ) : (
        <button
          type="button"
          className={styles.sort}
          aria-label={name}
          title={`Order by: ${name.toLowerCase()}`}
          onClick={() => onView({ ...view, sort: nextSort(sort, view.sort) })}
        >
          {short ?? name}
          {(ascending || descending) && (
            <span className={ascending ? styles.up : undefined}>
              <Icon name="down" small />
            </span>
          )}
        </button>
      )}
    </span>
  );
}

interface RowProps {
  agent: FleetAgent;
  most: number;
  /** Null for those who may not choose. */
  chosen: boolean | null;
  onChoose: (id: string, range: boolean) => void;
}

/** Drawn again only when its agent changes: a list that is scrolled draws the rows that come into view. */
const Row = memo(function Row({ agent, most, chosen, onChoose }: RowProps) {
  const { id, name, description, usage, finished, toolErrors, lastHeartbeatAt } = agent;
  const { word, tone, icon, reason } = agentState(agent);
  return (
    <>
      {chosen !== null && (
        <span role="cell" className={styles.box}>
          <input
            type="checkbox"
            aria-label={`Choose ${name}`}
            checked={chosen}
            onClick={({ shiftKey }) => onChoose(id, shiftKey)}
            onChange={() => undefined}
          />
        </span>
      )}
      <span role="cell" className={styles.name}>
        <Link to="/agents/$id" params={{ id }} data-name title={description || name}>
          {name}
        </Link>
      </span>
      <span role="cell" className={styles.state} title={reason}>
        <Ink tone={tone} icon={icon} />
        {word}
      </span>
      <Now agent={agent} reason={reason} />
      <span role="cell" className={styles.spark}>
        <Spark activity={agent.activity} most={most} />
      </span>
      <Figure className={styles.turns} value={usage.turns} one="turn" />
      <Figure className={styles.done} value={finished} one="finished" many="finished" />
      <Figure
        className={classes(styles.errors, toolErrors > 0 && styles.bad)}
        value={toolErrors}
        one="error"
      />
      <span role="cell" className={styles.cost}>
        <BudgetBar budget={agent.budget} />
        <span>{costOf(usage.costMicros)}</span>
      </span>
      <span role="cell" className={classes(styles.beat, 'soft')}>
        <Noun>Heartbeat: </Noun>
        {lastHeartbeatAt === null ? 'Never' : <Since iso={lastHeartbeatAt} />}
      </span>
    </>
  );
});

/** What an agent works on with the last line of its output, or why it does not work: two small lines in a row. */
function Now({ agent, reason }: { agent: FleetAgent; reason: string }) {
  const { current, activeIssues, waiting, why } = agent;
  const works = why.reason === 'running' || why.reason === 'agent_full';
  return (
    <span role="cell" className={styles.now}>
      {current && works ? (
        <span className={styles.work}>
          <span className={styles.issue} title={current.title}>
            <Link to="/i/$key" params={{ key: current.key }} className={styles.key}>
              {current.key}
            </Link>
            <span className={styles.title}>{current.title}</span>
            {activeIssues > 1 && <span className={styles.more}>+{activeIssues - 1} more</span>}
          </span>
          {current.line !== null && (
            <span className={styles.line} title={current.line}>
              <MarkedText text={current.line} />
            </span>
          )}
        </span>
      ) : (
        <span className={styles.reason} title={reason}>
          {reason}
        </span>
      )}
      {waiting > 0 && (
        <span
          className={styles.waiting}
          title={`${countOf(waiting, 'answer')} of a person ${waiting === 1 ? 'is' : 'are'} needed`}
        >
          <Tag tone="waiting" icon="user">
            {waiting === 1 ? 'Asks' : `Asks ${waiting}`}
          </Tag>
        </span>
      )}
    </span>
  );
}
