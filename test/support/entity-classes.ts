import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const BUILD = resolve(import.meta.dirname, '../../dist/src');

/** Returns every class of a file `*.entity.js` or `*.entities.js` of the build. */
export async function entityClasses(): Promise<(new () => object)[]> {
  const files = readdirSync(BUILD, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.entit(?:y|ies)\.js$/.test(file),
  );
  const modules: Record<string, unknown>[] = [];
  // One after the other: Jest does not load a CommonJS library that two modules import at the same time.
  for (const file of files) modules.push((await import(join(BUILD, file))) as Record<string, unknown>);
  const exported = modules.flatMap((one) => Object.values(one));
  return exported.filter((one) => typeof one === 'function') as (new () => object)[];
}
