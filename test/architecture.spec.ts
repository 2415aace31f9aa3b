import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cyclesIn } from './architecture/import-cycles.js';
import { breachesIn, type Sources } from './architecture/import-rules.js';

const root = join(import.meta.dirname, '..');

function sourcesOf(folder: string): Sources {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [relative(root, file), readFileSync(file, 'utf8')]));
}

const breachOf = (file: string, text: string) => breachesIn({ [file]: text });

describe('the source code', () => {
  const sources = sourcesOf('src');

  it('imports only what the table of modules allows', () => {
    expect(Object.keys(sources).length).toBeGreaterThan(100);
    expect(breachesIn(sources)).toEqual([]);
  });

  it('has no import cycle', () => {
    expect(cyclesIn(sources)).toEqual([]);
  });
});

describe('the search for import cycles', () => {
  it('finds a cycle of type imports', () => {
    const sources = {
      'src/a.ts': "import { b } from './b.js';",
      'src/b.ts': "import type { C } from './folder/c.js';",
      'src/folder/c.ts': "export type { A } from '../a.js';",
    };
    expect(cyclesIn(sources)).toEqual([['src/a.ts', 'src/b.ts', 'src/folder/c.ts']]);
  });

  it('accepts files that share an import', () => {
    const sources = {
      'src/a.ts': "import './b.js'; import './c.js';",
      'src/b.ts': "import './c.js';",
      'src/c.ts': '',
    };
    expect(cyclesIn(sources)).toEqual([]);
  });
});

describe('the table of imports', () => {
  it.each([
    [
      'a layer above',
      'src/platform/authentication/principals-and-roles.ts',
      '../../work/issues/issue-update-version-and-event.service.js',
    ],
    [
      'the other half of its layer',
      'src/work/issues/issue-update-version-and-event.service.ts',
      '../../mcp/catalog/catalog.service.js',
    ],
    [
      'a module of its layer that the table does not name',
      'src/mcp/processes/supervision/server-supervisor.ts',
      '../../catalog/catalog-entry.js',
    ],
    [
      'a module that imports it',
      'src/work/projects/visibility.ts',
      '../issues/issue-update-version-and-event.service.js',
    ],
    ['the application', 'src/agents/agents.service.ts', '../app.setup.js'],
  ])('refuses %s', (_, file, path) => {
    expect(breachOf(file, `import { x } from '${path}';`)).toHaveLength(1);
    expect(breachOf(file, `export type { x } from '${path}';`)).toHaveLength(1);
    expect(breachOf(file, `const x = await import('${path}');`)).toHaveLength(1);
  });

  it.each([
    [
      'a layer below',
      'src/gateway/heartbeat/turns-new-comments-and-answers.service.ts',
      '../../mcp/access/access.service.js',
    ],
    [
      'a module that the table names',
      'src/work/issues/issue-update-version-and-event.service.ts',
      '../links/links.service.js',
    ],
    ['the module itself', 'src/platform/http/problem.filter.ts', './problem.js'],
    ['everything, for the application', 'src/app.module.ts', './work/issues/issues.module.js'],
    [
      'everything, for a test',
      'src/platform/http/problem.spec.ts',
      '../../work/issues/issue-update-version-and-event.service.js',
    ],
  ])('allows %s', (_, file, path) => {
    expect(breachOf(file, `import { x } from '${path}';`)).toEqual([]);
  });

  it('refuses a module that is missing from the table', () => {
    expect(breachOf('src/work/sprints/sprint.ts', "import '../../platform/http/problem.js';")).toHaveLength(
      1,
    );
  });

  it.each([
    ['a barrel', 'src/work/issues/index.ts', ''],
    ['forwardRef', 'src/work/issues/issues.module.ts', 'forwardRef(() => GoalsModule)'],
    ['process.env outside of platform/config', 'src/mcp/runtime/runtime.service.ts', "process.env['PATH']"],
  ])('refuses %s', (_, file, text) => {
    expect(breachOf(file, text)).toHaveLength(1);
  });
});
