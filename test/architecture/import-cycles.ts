import { importsOf, type Sources } from './import-rules.js';

/**
 * Returns every import cycle that a depth-first search meets, each as the list of its files. Type imports count:
 * files that need each other's types cannot be understood apart, and a later value import makes the cycle real.
 */
export function cyclesIn(sources: Sources): string[][] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const start = path.indexOf(file);
    if (start >= 0) cycles.push(path.slice(start));
    if (start >= 0 || finished.has(file)) return;
    path.push(file);
    for (const target of importsOf(file, sources[file] ?? '')) visit(target.replace(/\.js$/, '.ts'));
    path.pop();
    finished.add(file);
  };
  Object.keys(sources).forEach(visit);
  return cycles;
}
