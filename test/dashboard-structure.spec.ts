import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const SOURCE = resolve(import.meta.dirname, '../dashboard/src');
const LONGEST = 300;
const MOST_FILES = 200;

/**
 * What a folder may import besides itself. `routes` puts screens together; `features` has the screens, by area; `shared` has
 * what the screens of several areas show; the other folders know no area.
 */
const below: Record<string, readonly string[]> = {
  theme: [],
  api: [],
  parts: ['api'],
  keyboard: ['parts', 'theme'],
  live: ['api'],
  session: ['api', 'parts'],
  shared: ['api', 'parts', 'session'],
  shell: ['api', 'parts', 'keyboard', 'live', 'session', 'theme'],
  features: ['api', 'parts', 'keyboard', 'live', 'session', 'theme', 'shared'],
  routes: ['api', 'parts', 'keyboard', 'live', 'session', 'theme', 'shared', 'shell', 'features'],
};

const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && entry.name !== 'route-tree.ts')
  .map((entry) => relative(SOURCE, join(entry.parentPath, entry.name)));
const inFolder = files.filter((file) => file.includes('/'));
const textOf = (file: string): string => readFileSync(join(SOURCE, file), 'utf8');

/** The files of this package that a file imports, without their endings. */
const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) =>
    relative(SOURCE, resolve(SOURCE, file, '..', path!)),
  );

/** The first folder of a path, and of a feature its name too. */
const placeOf = (path: string): string => {
  const [folder, name] = path.split('/');
  return folder === 'features' ? `features/${name}` : folder!;
};

describe("the dashboard's sources", () => {
  it('import only what lies below them, and no feature imports another', () => {
    const wrong = inFolder.flatMap((file) =>
      importsOf(file)
        .filter((path) => !path.startsWith('..'))
        .filter((path) => {
          const [from, to] = [placeOf(file), placeOf(path)];
          return from !== to && !below[from.split('/')[0]!]!.includes(to.split('/')[0]!);
        })
        .map((path) => `${file} imports ${path}`),
    );
    expect(inFolder.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  it('keep what was shown when reading it again fails: only a first read that failed replaces a screen', () => {
    const replacing = files.filter((file) => /if \(\w+\.isError\)/.test(textOf(file)));
    expect(replacing).toEqual([]);
  });

  it('read again soon what an outage kept from them, at whichever interval they read it otherwise', () => {
    const intervals = files.filter((file) => /refetchInterval: (?!.*\bevery\()/.test(textOf(file)));
    expect(intervals).toEqual([]);
  });

  it('load parts of a screen in one way, in which they recover when the service is back', () => {
    const lazy = files.filter((file) => /\blazy\(/.test(textOf(file)));
    expect(lazy).toEqual(['parts/later.tsx']);
  });

  it(`are at most ${MOST_FILES} without their tests`, () => {
    // The tree of the routes is made by the router.
    // What tests begin with, such as a fixture, is a part of them.
    const own = files.filter((file) => !/\.(spec|setup|fixture)\.tsx?$/.test(file));
    expect(own.length).toBeLessThanOrEqual(MOST_FILES);
  });

  it(`have at most ${LONGEST} lines`, () => {
    const tooLong = files.filter((file) => textOf(file).split('\n').length - 1 > LONGEST);
    expect(tooLong).toEqual([]);
  });
});
