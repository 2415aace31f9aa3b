import type { Edge } from './work-metrics.repository.js';

/** Counts the issues that are left when every issue that can be unblocked has been: those in cycles and those behind them. */
export function countStuckInCycles(edges: readonly Edge[]): number {
  const waitsFor = new Map<string, number>();
  const blocks = new Map<string, string[]>();
  for (const { source, target } of edges) {
    waitsFor.set(target, (waitsFor.get(target) ?? 0) + 1);
    waitsFor.set(source, waitsFor.get(source) ?? 0);
    blocks.set(source, [...(blocks.get(source) ?? []), target]);
  }
  const free = [...waitsFor].filter(([, count]) => count === 0).map(([id]) => id);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    waitsFor.delete(id);
    for (const target of blocks.get(id) ?? []) {
      const left = waitsFor.get(target)! - 1;
      waitsFor.set(target, left);
      if (left === 0) free.push(target);
    }
  }
  return waitsFor.size;
}
