import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';

const dist = join(import.meta.dirname, '../../../dashboard/dist');

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

/** The files that a browser loads for some chunks: they and everything that they import before they run. */
function loadedFor(names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const queue = [...names];
  for (const name of queue) {
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...(manifest[name]?.imports ?? []));
  }
  return new Set([...seen].flatMap((name) => [manifest[name]!.file, ...(manifest[name]!.css ?? [])]));
}

const sizeOf = (files: Iterable<string>, ending: string): number =>
  [...files]
    .filter((file) => file.endsWith(ending))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0);

const entry = Object.keys(manifest).filter((name) => manifest[name]!.isEntry);
const routeChunks = (route: string) =>
  Object.keys(manifest).filter((name) => name.startsWith(`src/routes/${route}.tsx`));
const shell = loadedFor([...entry, ...routeChunks('_app')]);
const first = new Set([...shell, ...loadedFor(routeChunks('_app/index'))]);
const routes = Object.keys(manifest).filter((name) => name.startsWith('src/routes/'));

describe('what a browser loads, compressed with gzip, in bytes', () => {
  it('is at most 200,000 of script and 25,000 of style for the first screen', () => {
    expect(sizeOf(first, '.js')).toBeGreaterThan(50_000);
    expect(sizeOf(first, '.js')).toBeLessThanOrEqual(200_000);
    expect(sizeOf(first, '.css')).toBeLessThanOrEqual(25_000);
  });

  it.each(routes)('is at most 41,000 more for %s', (route) => {
    const further = [...loadedFor([route])].filter((file) => !first.has(file));
    // A plan is drawn by the graph.
    const budget = /graph|plan/.test(route) ? 81_000 : 41_000;
    expect(sizeOf(further, '.js')).toBeLessThanOrEqual(budget);
  });

  it('is at most 450,000 of script in all', () => {
    expect(sizeOf(new Set(Object.values(manifest).map(({ file }) => file)), '.js')).toBeLessThanOrEqual(
      450_000,
    );
  });
});
