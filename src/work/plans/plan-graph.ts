import type { FieldError } from '../../platform/http/problem.js';

/** What the graph of a plan is made of: an issue by its name in the plan, and what it names as its blockers. */
export interface PlanItem {
  ref: string;
  blockedBy?: readonly unknown[] | null;
}

/** An issue that existed before the plan. */
export interface ExistingIssue {
  id: string;
  key: string;
}

/** What holds an issue of the plan: another one by its place in the list, counted from 0, or an existing issue. */
export type Holder<Existing extends ExistingIssue> = { at: number } | { issue: Existing };

/** A line of the graph: the holder holds the issue at the place `to`. `path` is where the request says so. */
export interface PlanLine<Existing extends ExistingIssue = ExistingIssue> {
  from: Holder<Existing>;
  to: number;
  path: string;
}

/** An edge between two places of the plan: the issue at `from` holds the one at `to`. */
export interface PlanEdge {
  from: number;
  to: number;
}

/** Either an order in which the issues can be finished, with the longest chain in it, or a cycle. All are places. */
export type CheckedGraph = { order: number[]; critical: number[] } | { cycle: number[] };

/** Returns the texts with which a plan names issues outside of it, each once. A ref of the plan goes before a key. */
export function namedOutside(items: readonly PlanItem[]): string[] {
  const refs = new Set(items.map(({ ref }) => ref));
  const named = items.flatMap(({ blockedBy }) => blockedBy ?? []);
  return [...new Set(named)].filter((name): name is string => typeof name === 'string' && !refs.has(name));
}

/**
 * Resolves what the issues of a plan name.
 * @param existing the issues outside of the plan that the caller sees, by the text that names them
 * @returns the lines in the order of the plan, and one error for each name that gives none
 */
export function readLines<Existing extends ExistingIssue>(
  items: readonly PlanItem[],
  existing: ReadonlyMap<string, Existing>,
): { lines: PlanLine<Existing>[]; errors: FieldError[] } {
  const places = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [at, { ref }] of items.entries()) {
    const first = places.get(ref);
    if (first === undefined) places.set(ref, at);
    else errors.push({ path: `issues[${at}].ref`, message: `is the ref of issues[${first}] already` });
  }
  const lines: PlanLine<Existing>[] = [];
  for (const [to, { blockedBy }] of items.entries()) {
    const seen = new Map<string, number>();
    for (const [index, name] of (blockedBy ?? []).entries()) {
      const path = `issues[${to}].blockedBy[${index}]`;
      const from = holderOf(name, places, existing);
      const message = typeof from === 'string' ? from : refusalOf(from, to, seen);
      if (message !== null) errors.push({ path, message });
      else lines.push({ from: from as Holder<Existing>, to, path });
      if (typeof from !== 'string' && !seen.has(idOf(from))) seen.set(idOf(from), index);
    }
  }
  return { lines, errors };
}

/** Returns the holder that a value names, or what is wrong with the value. */
function holderOf<Existing extends ExistingIssue>(
  name: unknown,
  places: ReadonlyMap<string, number>,
  existing: ReadonlyMap<string, Existing>,
): Holder<Existing> | string {
  if (typeof name !== 'string')
    return 'must be the ref of an issue of this plan, or the id or key of an issue';
  const at = places.get(name);
  if (at !== undefined) return { at };
  const issue = existing.get(name);
  return issue ? { issue } : 'names neither a ref of this plan nor an issue that you can see';
}

function refusalOf(
  from: Holder<ExistingIssue>,
  to: number,
  seen: ReadonlyMap<string, number>,
): string | null {
  if ('at' in from && from.at === to) return 'is the issue itself';
  const before = seen.get(idOf(from));
  return before === undefined ? null : `names the same issue as blockedBy[${before}]`;
}

const idOf = (from: Holder<ExistingIssue>): string => ('at' in from ? String(from.at) : from.issue.id);

/** Returns the lines between issues of the plan. */
export function edgesWithin(lines: readonly PlanLine[]): PlanEdge[] {
  return lines.flatMap(({ from, to }) => ('at' in from ? [{ from: from.at, to }] : []));
}

/**
 * Orders the issues of a plan so that each comes after all that hold it: in waves, each in the order of the plan. Time
 * and memory are linear in the edges.
 * @param count how many issues the plan has
 */
export function checkGraph(count: number, edges: readonly PlanEdge[]): CheckedGraph {
  const waitsFor = new Array<number>(count).fill(0);
  const held = Array.from({ length: count }, (): number[] => []);
  for (const { from, to } of edges) {
    waitsFor[to]! += 1;
    held[from]!.push(to);
  }
  const order = [...waitsFor.keys()].filter((at) => waitsFor[at] === 0);
  for (const at of order)
    for (const to of held[at]!) {
      waitsFor[to]! -= 1;
      if (waitsFor[to] === 0) order.push(to);
    }
  if (order.length < count) return { cycle: cycleAmong(waitsFor, edges) };
  return { order, critical: longestChain(order, held) };
}

/** Returns the chain with the most issues, each of which holds the next; the first in the order of those that are as long. */
function longestChain(order: readonly number[], held: readonly (readonly number[])[]): number[] {
  const length = new Array<number>(order.length).fill(1);
  const before = new Array<number>(order.length).fill(-1);
  let last = -1;
  for (const at of order) {
    if (last === -1 || length[at]! > length[last]!) last = at;
    for (const to of held[at]!)
      if (length[at]! >= length[to]!) {
        length[to] = length[at]! + 1;
        before[to] = at;
      }
  }
  const chain: number[] = [];
  for (let at = last; at !== -1; at = before[at]!) chain.push(at);
  return chain.reverse();
}

/**
 * Returns the places along a cycle, each of which holds the next, the first one again at the end.
 * @param waitsFor how many unordered issues hold each issue: those that wait are on a cycle or behind one
 */
function cycleAmong(waitsFor: readonly number[], edges: readonly PlanEdge[]): number[] {
  const holder = new Map<number, number>();
  for (const { from, to } of edges) if (waitsFor[from]! > 0 && waitsFor[to]! > 0) holder.set(to, from);
  // Every issue that waits has a holder that waits, so the way back ends where it has been.
  const visited = new Set<number>();
  let at = waitsFor.findIndex((holders) => holders > 0);
  while (!visited.has(at)) {
    visited.add(at);
    at = holder.get(at)!;
  }
  const back = [...visited];
  return [at, ...back.slice(back.indexOf(at) + 1).reverse(), at];
}
