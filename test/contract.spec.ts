import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { secretFileSettings } from '../src/platform/config/secret-files.js';
import { settingsSchema } from '../src/platform/config/settings.schema.js';
import { problemCodes } from '../src/platform/http/problem.js';
import { eventTypes } from '../src/platform/journal/event-types.js';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const contract = read('docs/contract.md');
const sections = new Set([...contract.matchAll(/^##+ (\d+(?:\.\d+)*)\.? /gm)].map(([, number]) => number!));

/** The rows of the tables in a section, each as its cells. */
function rowsOf(section: number): string[][] {
  const text = contract.split(/^## \d+\. .*$/m)[section + 1] ?? '';
  return [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row]) =>
    row!.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  );
}

const inCode = (cell: string | undefined) => /^`(.+)`$/.exec(cell ?? '')?.[1] ?? '';
const filesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs|json)$/.test(name))
    .map((name) => `${folder}/${name}`);

/** Where a comment cites a section: `contract §5.3`, also as one of several: `contract §2, §5.3`. */
function citationsIn(file: string): string[] {
  return [...read(file).matchAll(/contract ((?:§\d+(?:\.\d+)?(?:,| and|\s|\*)*)+)/g)].flatMap(([, list]) =>
    [...list!.matchAll(/§(\d+(?:\.\d+)?)/g)].map(([, number]) => number!),
  );
}

describe('docs/contract.md', () => {
  it('has the sections 0 to 10, each once', () => {
    const numbers = [...contract.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('numbers the parts of each section from 1 without a gap', () => {
    const parts = [...contract.matchAll(/^### (\d+)\.(\d+) /gm)].map(([, ...numbers]) => numbers.map(Number));
    for (const section of new Set(parts.map(([number]) => number))) {
      const its = parts.filter(([number]) => number === section).map(([, part]) => part);
      expect([section, its]).toEqual([section, its.map((_, index) => index + 1)]);
    }
  });

  it.each(['src', 'test', 'scripts', 'bench', 'migrations'])(
    'has every section that a file in %s cites',
    (folder) => {
      const lost = filesOf(folder).flatMap((file) =>
        citationsIn(file)
          .filter((number) => !sections.has(number))
          .map((number) => `${file}: §${number}`),
      );
      expect(lost).toEqual([]);
    },
  );

  it('is what every file cites, and not another specification', () => {
    const files = ['src', 'test', 'scripts', 'bench', 'migrations'].flatMap(filesOf);
    expect(files.filter((file) => /\bspec(ification)? §\d/i.test(read(file)))).toEqual([]);
  });

  it('has every section that it refers to itself', () => {
    const cited = [...contract.matchAll(/§(\d+(?:\.\d+)?)/g)].map(([, number]) => number!);
    expect(cited.filter((number) => !sections.has(number))).toEqual([]);
  });

  it('lists the routes of the OpenAPI document, each once', () => {
    const { paths } = JSON.parse(read('docs/openapi.json')) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const verbs = ['get', 'post', 'put', 'patch', 'delete'];
    const routes = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((verb) => verbs.includes(verb))
        .map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    const inProse = routes.filter((route) => contract.includes(`\`${route}\` `));
    const inTables = [2, 3, 4, 5, 7, 8].flatMap((section) =>
      rowsOf(section).flatMap(([cell]) => (/^`[A-Z]+ \//.test(cell ?? '') ? [inCode(cell)] : [])),
    );
    expect(inTables).toEqual([...new Set(inTables)]);
    expect(inTables.filter((route) => !routes.includes(route))).toEqual([]);
    expect(routes.filter((route) => !inTables.includes(route) && !inProse.includes(route))).toEqual([]);
  });

  it('names the routes that carry a secret, and no other, where it has the HTTPS rule', () => {
    const { paths } = JSON.parse(read('docs/openapi.json')) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const secret = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, operation]) => JSON.stringify(operation).includes('https_required'))
        .map(([verb]) => `${verb.toUpperCase()} ${path}`),
    );
    const section = /^### 2\.7 [^]*?(?=^### )/m.exec(contract)![0];
    const named = [...section.matchAll(/`([A-Z]+ \/[^`]+)`/g)].map(([, route]) => route!);
    expect(named.toSorted()).toEqual(secret.toSorted());
  });

  it('lists the error codes of the service with their status, and no other', () => {
    const listed = rowsOf(10).flatMap(([status, code]) =>
      inCode(code) === '' ? [] : [{ code: inCode(code), status: Number(status) }],
    );
    expect(listed).toEqual(Object.entries(problemCodes).map(([code, { status }]) => ({ code, status })));
  });

  it('lists the settings of the service with their defaults, and no other', () => {
    const listed = rowsOf(9).flatMap(([name, value]) =>
      inCode(name) === '' ? [] : [[inCode(name), value!]],
    );
    expect(listed.map(([name]) => name).toSorted()).toEqual(Object.keys(settingsSchema.shape).toSorted());
    const defaults = settingsSchema.parse({}) as Record<string, unknown>;
    for (const [name, value] of listed) {
      const its = defaults[name!];
      if (typeof its === 'string' || typeof its === 'number')
        expect([name, value]).toEqual([name, String(its)]);
    }
  });

  it('names the settings for the files of secrets, and no other', () => {
    const section = contract.split(/^## \d+\. .*$/m)[10]!;
    const [, paragraph = ''] = /^\*\*Secrets in files\.\*\*([^]*?)\n\n/m.exec(section)!;
    const named = [...paragraph.matchAll(/`([A-Z0-9_]+_FILE)`/g)].map(([, name]) => name!);
    expect(named.toSorted()).toEqual(secretFileSettings.toSorted());
  });

  it('lists the event types of the journal, and no other', () => {
    const areas = rowsOf(8).flatMap(([, types]) => [...(types ?? '').matchAll(/`([a-z]+(?:\.[a-z_]+)+)`/g)]);
    expect(areas.map(([, type]) => type).toSorted()).toEqual(eventTypes.toSorted());
  });
});

describe('the descriptions of the OpenAPI document', () => {
  const { paths } = JSON.parse(read('docs/openapi.json')) as {
    paths: Record<string, Record<string, { summary?: string; description?: string }>>;
  };
  const routes = [...read('docs/access.md').matchAll(/^\| ([A-Z]+) (\/\S+) +\| ([^|]+) \|/gm)].map(
    ([, verb = '', path = '', who = '']) => {
      const { summary = '', description = '' } = paths[path]?.[verb.toLowerCase()] ?? {};
      return { route: `${verb} ${path}`, who, text: `${summary} ${description}` };
    },
  );

  it('restrict a route to the author or uploader where docs/access.md does, and nowhere else', () => {
    expect(routes.length).toBeGreaterThan(100);
    const restricted = routes.filter(({ text }) => /author or|uploader|creator/i.test(text));
    const listed = routes.filter(({ who }) => who.includes('author'));
    expect(restricted.map(({ route }) => route)).toEqual(listed.map(({ route }) => route));
  });
});
