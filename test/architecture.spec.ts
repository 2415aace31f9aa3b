import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
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

describe('the house', () => {
  it('has no room that imports what it may not', () => {
    const sources = sourcesOf('src');
    expect(Object.keys(sources).length).toBeGreaterThan(100);
    expect(breachesIn(sources)).toEqual([]);
  });
});

describe('the table of imports', () => {
  it.each([
    ['a floor above', 'src/platform/auth/roles.ts', '../../work/issues/priority.js'],
    [
      'the other half of a floor',
      'src/work/issues/issues.service.ts',
      '../../mcp/catalog/catalog.service.js',
    ],
    [
      'a room of its floor that is not named',
      'src/mcp/processes/child-server.ts',
      '../catalog/catalog-entry.js',
    ],
    ['what imports it', 'src/work/projects/visibility.ts', '../issues/priority.js'],
    ['a room within a room', 'src/platform/http/problem.ts', './idempotency/idempotency.js'],
    ['the application', 'src/agents/agents.service.ts', '../app.setup.js'],
  ])('refuses %s', (_, file, path) => {
    expect(breachOf(file, `import { x } from '${path}';`)).toHaveLength(1);
    expect(breachOf(file, `export type { x } from '${path}';`)).toHaveLength(1);
    expect(breachOf(file, `const x = await import('${path}');`)).toHaveLength(1);
  });

  it.each([
    ['a floor below', 'src/gateway/heartbeat/turns.service.ts', '../../mcp/access/access.service.js'],
    ['a room that is named', 'src/work/issues/issues.service.ts', '../goals/goals.service.js'],
    ['the room itself', 'src/platform/http/idempotency/idempotency.ts', './idempotency.repository.js'],
    ['the room that it lies in', 'src/platform/http/idempotency/idempotency.ts', '../problem.js'],
    ['everything, for the application', 'src/app.module.ts', './work/issues/issues.module.js'],
    ['everything, for a test', 'src/platform/http/problem.spec.ts', '../../work/issues/priority.js'],
  ])('allows %s', (_, file, path) => {
    expect(breachOf(file, `import { x } from '${path}';`)).toEqual([]);
  });

  it('refuses a room that nobody has placed', () => {
    expect(breachOf('src/work/sprints/sprint.ts', "import '../../platform/http/problem.js';")).toHaveLength(
      1,
    );
  });

  it.each([
    ['a barrel', 'src/work/issues/index.ts', ''],
    ['forwardRef', 'src/work/issues/issues.module.ts', 'forwardRef(() => GoalsModule)'],
    ['process.env outside of platform/config', 'src/mcp/runtime/probe.ts', "process.env['PATH']"],
  ])('refuses %s', (_, file, text) => {
    expect(breachOf(file, text)).toHaveLength(1);
  });
});
