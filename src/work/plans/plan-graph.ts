import type { FieldError } from '../../platform/http/problem.js';

/** What the graph of a plan is made of: an issue by its name in the plan, its blockers, and what it is a part of. */
export interface PlanItem {
  ref: string;
  blockedBy?: readonly unknown[] | null;
  parent?: string | null;
  holdsParent?: boolean;
}

/** An issue that existed before the plan. */
export interface ExistingIssue {
  id: string;
  key: string;
}

/** What an issue of the plan names: another one by its place in the list, counted from 0, or an existing issue. */
export type Named<Existing extends ExistingIssue = ExistingIssue> = { at: number } | { issue: Existing };

/** A line of the graph: `from` blocks the issue at the place `to`. `path` is where the request says so. */
export interface PlanLine<Existing extends ExistingIssue = ExistingIssue> {
  from: Named<Existing>;
  to: number;
  path: string;
}

/** The issue at the place `child` is a part of `parent`, which waits for it where it `holds` that. */
export interface PlanPart<Existing extends ExistingIssue = ExistingIssue> {
  child: number;
  parent: Named<Existing>;
  holds: boolean;
  path: string;
}

/** The names of a plan, resolved. */
export interface PlanTree<Existing extends ExistingIssue = ExistingIssue> {
  lines: PlanLine<Existing>[];
  parts: PlanPart<Existing>[];
}

/** An edge of the graph between two numbers: the issue with `from` holds the one with `to`. */
export interface PlanEdge {
  from: number;
  to: number;
}

/** Either an order in which the issues can be finished, with the longest chain in it, or a cycle. All are numbers of issues. */
export type CheckedGraph = { order: number[]; critical: number[] } | { cycle: number[] };

/** Returns the texts with which a plan names issues outside of it, each once. A ref of the plan goes before a key. */
export function namedOutside(items: readonly PlanItem[]): string[] {
  const refs = new Set(items.map(({ ref }) => ref));
  const named = items.flatMap(({ blockedBy, parent }) => [...(blockedBy ?? []), parent]);
  return [...new Set(named)].filter((name): name is string => typeof name === 'string' && !refs.has(name));
}

/**
 * Resolves what the issues of a plan name.
 * @param existing the issues outside of the plan that the caller sees, by the text that names them
 * @returns what they name in the order of the plan, and one error for each name that gives nothing
 */
export function readTree<Existing extends ExistingIssue>(
  items: readonly PlanItem[],
  existing: ReadonlyMap<string, Existing>,
): PlanTree<Existing> & { errors: FieldError[] } {
  const places = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [at, { ref }] of items.entries()) {
    const first = places.get(ref);
    if (first === undefined) places.set(ref, at);
    else errors.push({ path: `issues[${at}].ref`, message: `is the ref of issues[${first}] already` });
  }
  const tree: PlanTree<Existing> = { lines: [], parts: [] };
  for (const [at, { blockedBy, parent, holdsParent = true }] of items.entries()) {
    const seen = new Map<string, number>();
    for (const [index, name] of (blockedBy ?? []).entries()) {
      const path = `issues[${at}].blockedBy[${index}]`;
      const from = namedBy(name, at, places, existing);
      if (typeof from === 'string') {
        errors.push({ path, message: from });
        continue;
      }
      const before = seen.get(idOf(from));
      if (before !== undefined)
        errors.push({ path, message: `names the same issue as blockedBy[${before}]` });
      else tree.lines.push({ from, to: at, path });
      seen.set(idOf(from), before ?? index);
    }
    if (parent === undefined || parent === null) continue;
    const path = `issues[${at}].parent`;
    const above = namedBy(parent, at, places, existing);
    if (typeof above === 'string') errors.push({ path, message: above });
    else tree.parts.push({ child: at, parent: above, holds: holdsParent, path });
  }
  return { ...tree, errors };
}

/** Returns the issue that a value names, or what is wrong with the value. */
function namedBy<Existing extends ExistingIssue>(
  name: unknown,
  by: number,
  places: ReadonlyMap<string, number>,
  existing: ReadonlyMap<string, Existing>,
): Named<Existing> | string {
  if (typeof name !== 'string')
    return 'must be the ref of an issue of this plan, or the id or key of an issue';
  const at = places.get(name);
  if (at !== undefined) return at === by ? 'is the issue itself' : { at };
  const issue = existing.get(name);
  return issue ? { issue } : 'names neither a ref of this plan nor an issue that you can see';
}

const idOf = (named: Named): string => ('at' in named ? String(named.at) : named.issue.id);

/** Returns the existing issues that a plan names, each once. */
export function existingIn<Existing extends ExistingIssue>(tree: PlanTree<Existing>): Existing[] {
  const named = [...tree.lines.map(({ from }) => from), ...tree.parts.map(({ parent }) => parent)];
  return [
    ...new Map(named.flatMap((one) => ('at' in one ? [] : [[one.issue.id, one.issue] as const]))).values(),
  ];
}

/** Returns the edges of blocking between issues of the plan: a part that holds its parent is one, too. */
export function edgesWithin({ lines, parts }: PlanTree): (PlanEdge & { path: string })[] {
  return [
    ...lines.flatMap(({ from, to, path }) => ('at' in from ? [{ from: from.at, to, path }] : [])),
    ...treeWithin(parts.filter(({ holds }) => holds)),
  ];
}

/** Returns an edge from each issue to the one of the plan that it is a part of. */
export function treeWithin(parts: readonly PlanPart[]): (PlanEdge & { path: string })[] {
  return parts.flatMap(({ child, parent, path }) =>
    'at' in parent ? [{ from: child, to: parent.at, path }] : [],
  );
}

/**
 * Orders issues so that each comes after all that hold it: in waves, each in the order of the plan. Time and memory are
 * linear in the edges.
 * @param count how many issues there are, numbered from 0
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
 * Returns the numbers along a cycle, each of which holds the next, the first one again at the end.
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

/**
 * Returns how many levels of a tree each issue of a plan has above it and with it, by its place.
 * @param levelsOf how many levels an existing parent has, itself included
 */
export function levelsIn<Existing extends ExistingIssue>(
  count: number,
  parts: readonly PlanPart<Existing>[],
  levelsOf: (parent: Existing) => number,
): number[] {
  const levels = new Array<number>(count).fill(1);
  const partAt = new Map(parts.map((part) => [part.child, part]));
  const above = checkGraph(count, treeWithin(parts));
  if ('cycle' in above) throw new Error('A tree has no cycle.');
  // Parents come after their children in this order.
  for (const at of above.order.toReversed()) {
    const parent = partAt.get(at)?.parent;
    if (parent) levels[at] = 1 + ('at' in parent ? levels[parent.at]! : levelsOf(parent.issue));
  }
  return levels;
}
