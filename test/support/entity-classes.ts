import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const BUILD = resolve(import.meta.dirname, '../../dist/src');

/**
 * Returns every class of a file `*.entity.js` or `*.entities.js` of the build. One file after the other: entities name one
 * another, and Jest fails now and then when modules that import one another are asked for at once.
 */
export async function entityClasses(): Promise<(new () => object)[]> {
  const files = readdirSync(BUILD, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.entit(?:y|ies)\.js$/.test(file),
  );
  const exported: unknown[] = [];
  for (const file of files)
    exported.push(...Object.values((await import(join(BUILD, file))) as Record<string, unknown>));
  return exported.filter((one) => typeof one === 'function') as (new () => object)[];
}
