import type { Edge } from './work-measures.repository.js';

/** How many issues are left when all that can go on has gone on: those in circles, and those behind them. */
export function stuckInCircles(edges: readonly Edge[]): number {
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
