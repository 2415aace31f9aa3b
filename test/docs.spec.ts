import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { settingsSchema } from '../src/platform/config/settings.schema.js';
import { transitions } from '../src/work/issues/issue-status.js';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (/\.md$/.test(name) ? `docs/${name}` : [])),
];

describe('the pages', () => {
  it.each(pages)('of %s lead only to what is there', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path!);
    const lost = links.filter((path) => !existsSync(join(root, dirname(page), path)));
    expect(lost).toEqual([]);
  });

  it('are all reached from the README', () => {
    const lost = pages.slice(1).filter((page) => !read('README.md').includes(`(${page})`));
    expect(lost).toEqual([]);
  });

  it('name only commands that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!),
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('the table of states in docs/concepts.md', () => {
  it('has the rows of the one in the code, in their order', () => {
    const table = read('docs/concepts.md').split('<!-- the table of states -->')[1] ?? '';
    const rows = [...table.matchAll(/^\| (\w+) +\| ([\w, ]+?) +\| (\w+) +\|/gm)].slice(1);
    expect(rows.map(([, trigger, from, to]) => ({ trigger, from: from!.split(', '), to }))).toEqual(
      transitions.map(({ trigger, from, to }) => ({ trigger, from: [...from], to })),
    );
  });

  it('is what the picture shows, but for what a person may always do', () => {
    const drawn = [...read('docs/concepts.md').matchAll(/^ {4}(\w+) --> (\w+):/gm)].map(
      ([, from, to]) => `${from} ${to}`,
    );
    const possible = transitions.flatMap(({ from, to }) => from.map((one) => `${one} ${to}`));
    expect(drawn.filter((arrow) => !possible.includes(arrow))).toEqual([]);
    const left = possible.filter((arrow) => !drawn.includes(arrow) && !/ (Resolved|Closed)$/.test(arrow));
    expect([...new Set(left)]).toEqual(['WaitingOnDependency WaitingOnDependency']);
  });
});

describe('what it is shipped with', () => {
  it.each<[string, RegExp]>([
    ['docker-compose.yml', /^ {6}([A-Z][A-Z0-9_]+): (?!.*POSTGRES_)/gm],
    ['Dockerfile', /([A-Z][A-Z0-9_]+)=/g],
    ['deploy/agent-work-platform.service', /(?:Environment=| )([A-Z][A-Z0-9_]+)=\S+/g],
  ])('%s sets only settings that there are', (file, pattern) => {
    const known = [...Object.keys(settingsSchema.shape), 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD'];
    const set = [...read(file).matchAll(pattern)].map(([, name]) => name!);
    expect(set.length).toBeGreaterThan(1);
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('the image copies what is there, and what its context lets in', () => {
    const sources = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, list]) =>
      list!.split(' '),
    );
    const context = read('.dockerignore');
    for (const source of sources) {
      expect({ source, isThere: existsSync(join(root, source)) }).toEqual({ source, isThere: true });
      expect(context).toContain(`!${source}`);
    }
  });

  it('the image runs as a user of its own, is Node 24 on Debian slim, and tells how it is', () => {
    const file = read('Dockerfile');
    expect(file).toMatch(/^USER (?!root)\w+$/m);
    expect(file).toMatch(/^FROM node:24-\w+-slim$/m);
    expect(file).toMatch(/^HEALTHCHECK/m);
  });

  it('docker-compose.yml mounts files that are there, and names each image by a version', () => {
    const file = read('docker-compose.yml');
    const mounted = [...file.matchAll(/- (\.\/[^:]+):/g)].map(([, path]) => path!);
    expect(mounted.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    for (const [, image] of file.matchAll(/^ +image: (.+)$/gm)) expect(image).toMatch(/:\d+(\.\d+)*$/);
  });
});
