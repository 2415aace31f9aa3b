import { useRef } from 'react';
import type { FleetAgent } from '../../../api/types';
import { fitOf } from '../../../keyboard/use-actions';
import { agentLooks } from '../queries';

type Reason = FleetAgent['why']['reason'];

/** The groups of the head: which reasons each holds, or that a person is asked. */
const groups = {
  'at-work': { words: 'At work', reasons: ['running', 'agent_full'] },
  stopped: { words: 'Stopped', reasons: ['agent_disabled', 'halted', 'budget', 'agent_failing'] },
  silent: { words: 'Silent', reasons: ['agent_silent', 'agent_never_seen'] },
} as const satisfies Record<string, { words: string; reasons: readonly Reason[] }>;

/** What the fleet can be narrowed to: a group of the head, or one state. */
export type StateFilter = keyof typeof groups | 'waiting' | Reason;

/** The columns in which the fleet can be in order; a `-` before one is descending. */
export const sortColumns = [
  'name',
  'state',
  'activity',
  'turns',
  'finished',
  'cost',
  'errors',
  'heartbeat',
] as const;
export type SortColumn = (typeof sortColumns)[number];
export type Sort = SortColumn | `-${SortColumn}`;

/** What the fleet is narrowed to and how it is in order; it lives in the address. */
export interface FleetView {
  q?: string | undefined;
  state?: StateFilter | undefined;
  sort?: Sort | undefined;
}

/** Every filter of the state with its words: the groups first, then the states. */
export const stateFilters: readonly (readonly [StateFilter, string])[] = [
  ['at-work', 'At work: working or full'],
  ['stopped', 'Stopped, for any reason'],
  ['silent', 'Silent or never connected'],
  ['waiting', 'Waits for a person'],
  ...(Object.keys(agentLooks) as Reason[]).map((reason) => [reason, agentLooks[reason].word] as const),
];

/** Reads a view out of the words of the address; those that mean nothing are left out. */
export function fleetViewOf({
  q,
  state,
  sort,
}: { [Part in keyof FleetView]?: string | undefined }): FleetView {
  const column = sort?.replace(/^-/, '');
  return {
    q,
    state: stateFilters.find(([filter]) => filter === state)?.[0],
    sort: sortColumns.some((one) => one === column) ? (sort as Sort) : undefined,
  };
}

const reasonOrder = Object.keys(agentLooks) as Reason[];
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** What each column is compared by; figures that are equal are in order of the name. */
const valueOf: Record<Exclude<SortColumn, 'name'>, (agent: FleetAgent) => number> = {
  state: ({ why }) => reasonOrder.indexOf(why.reason),
  activity: ({ activity }) => sumOf(activity),
  turns: ({ usage }) => usage.turns,
  finished: ({ finished }) => finished,
  cost: ({ usage }) => usage.costMicros,
  errors: ({ toolErrors }) => toolErrors,
  heartbeat: ({ lastHeartbeatAt }) => (lastHeartbeatAt === null ? 0 : Date.parse(lastHeartbeatAt)),
};

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const byName = (a: FleetAgent, b: FleetAgent): number =>
  names.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);

function compare(sort: Sort): (a: FleetAgent, b: FleetAgent) => number {
  const sign = sort.startsWith('-') ? -1 : 1;
  const column = sort.replace(/^-/, '') as SortColumn;
  if (column === 'name') return (a, b) => sign * byName(a, b);
  const value = valueOf[column];
  return (a, b) => sign * (value(a) - value(b)) || byName(a, b);
}

function isIn(agent: FleetAgent, filter: StateFilter | undefined): boolean {
  if (filter === undefined) return true;
  if (filter === 'waiting') return agent.waiting > 0;
  const reasons: readonly string[] =
    filter in groups ? groups[filter as keyof typeof groups].reasons : [filter];
  return reasons.includes(agent.why.reason);
}

/** The agents that a view shows, in its order: by name, unless another one is chosen. */
export function shownAgents(
  agents: readonly FleetAgent[],
  { q = '', state, sort = 'name' }: FleetView,
): readonly FleetAgent[] {
  const matches = ({ name, description, current }: FleetAgent) =>
    fitOf(`${description} ${current?.key ?? ''} ${current?.title ?? ''}`, name, q) > 0;
  return agents.filter((agent) => isIn(agent, state) && matches(agent)).toSorted(compare(sort));
}

/** The order after a press on the head of a column: figures begin with the largest, a third press ends it. */
export function nextSort(column: SortColumn, present: Sort | undefined): Sort | undefined {
  const first: Sort = column === 'name' || column === 'state' ? column : `-${column}`;
  const second: Sort = first === column ? `-${column}` : column;
  if (column === 'name') return present === undefined || present === 'name' ? '-name' : undefined;
  if (present === first) return second;
  return present === second ? undefined : first;
}

/**
 * Keeps rows in their places while a person points at them or has the focus there: figures change all the time, and a row
 * must not move away under the pointer. What is new comes last until then.
 */
export function useHeldOrder(agents: readonly FleetAgent[], view: string) {
  const held = useRef(false);
  const order = useRef<{ view: string; ids: readonly string[] }>({ view, ids: [] });
  if (!held.current || order.current.view !== view) order.current = { view, ids: agents.map(({ id }) => id) };
  const place = new Map(order.current.ids.map((id, at) => [id, at]));
  const placeOf = ({ id }: FleetAgent) => place.get(id) ?? Infinity;
  return {
    rows: agents.toSorted((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b))),
    hold: () => void (held.current = true),
    release: () => void (held.current = false),
  };
}
