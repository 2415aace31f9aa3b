import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lt, valid } from 'semver';

const root = resolve(import.meta.dirname, '..');
const read = (file: string, folder = root) => readFileSync(join(folder, file), 'utf8');
const git = (parameters: string[], folder = root) =>
  execFileSync('git', parameters, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/** One version of the service (decision 0061). The last one has no commit yet. */
interface Version {
  version: string;
  date: string;
  lastMigration: string;
  commit?: string;
  /** The versions before this one that run on its schema, newest first, as a drill has shown. */
  alsoRun: string[];
}
const versionsIn = (text: string) => JSON.parse(text) as Version[];
const versions = versionsIn(read('migrations/versions.json'));
const last = versions.at(-1)!;
const migrationsIn = (folder: string) =>
  readdirSync(join(folder, 'migrations')).flatMap((name) => /^(\d+-.+)\.ts$/.exec(name)?.[1] ?? []);

/** Whether git has the history of this checkout; an archive or a shallow clone has none. */
function hasHistory(): boolean {
  try {
    return git(['rev-parse', '--is-shallow-repository']) === 'false';
  } catch {
    return false;
  }
}
const withHistory = hasHistory() ? it : it.skip;

describe('migrations/versions.json', () => {
  it('has a version for the newest migration (`npm run new-version` adds one)', () => {
    expect(last.lastMigration).toBe(migrationsIn(root).toSorted().at(-1));
  });

  it('grows in version, date and migration, and only the last version has no commit', () => {
    for (const [index, row] of versions.entries()) {
      expect(valid(row.version)).toBe(row.version);
      const before = versions[index - 1];
      if (!before) continue;
      expect(lt(before.version, row.version)).toBe(true);
      expect(before.lastMigration < row.lastMigration && before.date <= row.date).toBe(true);
    }
    expect(versions.filter(({ commit }) => commit === undefined)).toEqual([last]);
  });

  it('ends with the version that package.json, the chart, the API document and the changelog have', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(version).toBe(last.version);
    const lock = JSON.parse(read('package-lock.json')) as {
      version: string;
      packages: { '': { version: string } };
    };
    expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
    const chart = read('deploy/helm/agent-work-platform/Chart.yaml');
    expect(chart).toContain(`\nversion: ${version}\n`);
    expect(chart).toContain(`\nappVersion: '${version}'\n`);
    const { info } = JSON.parse(read('docs/openapi.json')) as { info: { version: string } };
    expect(info.version).toBe(version);
  });

  it('has the sections of CHANGELOG.md', () => {
    const sections = [...read('CHANGELOG.md').matchAll(/^## \[(\d.*)\] - (.+)$/gm)].map(
      ([, version, date]) => [version, date],
    );
    expect(sections.toReversed()).toEqual(versions.map(({ version, date }) => [version, date]));
  });

  it('is the table of docs/operations.md that says which version runs on which schema', () => {
    const [, section = ''] = read('docs/operations.md').split('### Which version runs on which schema\n');
    const rows = [...section.split('\n#')[0]!.matchAll(/^\| (\d\S+) +\| (\S+) +\| `(\S+)` +\| (.+?) +\|/gm)];
    expect(rows.map(([, ...cells]) => cells)).toEqual(
      versions
        .toReversed()
        .map((row) => [row.version, row.date, row.lastMigration, row.alsoRun.join(', ') || 'none']),
    );
  });

  withHistory('names commits that have the last migration of their version', () => {
    for (const { commit, lastMigration } of versions.slice(0, -1)) {
      const files = git(['ls-tree', '--name-only', commit!, 'migrations/']).split('\n');
      expect(
        files
          .filter((name) => name.endsWith('.ts'))
          .toSorted()
          .at(-1),
      ).toBe(`migrations/${lastMigration}.ts`);
    }
  });

  withHistory('gives no second schema to a version that a commit has', () => {
    const file = 'migrations/versions.json';
    const commits = git(['log', '--format=%h', `-S"version": "${last.version}"`, '--', file]).split('\n');
    const given = commits
      .filter((commit) => commit !== '')
      .flatMap((commit) => versionsIn(git(['show', `${commit}:${file}`])))
      .filter(({ version }) => version === last.version);
    if (given.length > 0)
      expect(given.map(({ lastMigration }) => lastMigration)).toContain(last.lastMigration);
  });

  it('lets no version run on a schema that needs a later one', () => {
    const needs = migrationsIn(root).flatMap((migration) =>
      [
        ...read(`migrations/${migration}.ts`).matchAll(
          /^(?! \*).*INSERT INTO schema_needs[^]*?'(\d+\.\d+\.\d+)'/gm,
        ),
      ].map(([, version]) => ({ migration, version: version! })),
    );
    for (const { migration, version } of needs) {
      expect(lt(last.version, version)).toBe(false);
      const after = versions.filter(({ lastMigration }) => lastMigration >= migration);
      expect(after.flatMap(({ alsoRun }) => alsoRun).filter((one) => lt(one, version))).toEqual([]);
    }
  });
});

describe('npm run new-version', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'awp-version-'));
    for (const file of [
      'package.json',
      'package-lock.json',
      'CHANGELOG.md',
      'migrations',
      'src/platform/config/settings.ts',
      'deploy/helm/agent-work-platform/Chart.yaml',
      'scripts/new-version.mjs',
      'scripts/paths.mjs',
    ]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(root, file), join(folder, file), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
    for (const command of ['init -q', 'add .', '-c user.name=t -c user.email=t@example.com commit -qm first'])
      git(command.split(' '), folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = () =>
    execFileSync(process.execPath, ['scripts/new-version.mjs'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });

  it('refuses a version without a migration of its own', () => {
    expect(run).toThrow(/Add the migration first/);
  });

  it('raises the minor version everywhere, and names the commit of the version before', () => {
    const next = last.version.replace(/\.(\d+)\.\d+$/, (_, minor) => `.${Number(minor) + 1}.0`);
    const migration = '4102444800000-later';
    writeFileSync(join(folder, `migrations/${migration}.ts`), '');
    run();
    const rows = versionsIn(read('migrations/versions.json', folder));
    const commit = git(['rev-parse', '--short=8', 'HEAD'], folder);
    expect(rows.at(-2)).toEqual({ ...last, commit });
    expect(rows.at(-1)).toEqual({
      version: next,
      date: new Date().toISOString().slice(0, 10),
      lastMigration: migration,
      alsoRun: [last.version, versions.at(-2)!.version],
    });
    expect(read('CHANGELOG.md', folder)).toMatch(`## [Unreleased]\n\n## [${next}] - ${rows.at(-1)!.date}\n`);
    const changed = git(['diff', '--numstat'], folder)
      .split('\n')
      .map((line) => line.split('\t'));
    expect(Object.fromEntries(changed.map(([added, , file]) => [file, Number(added)]))).toMatchObject({
      'package.json': 1,
      'package-lock.json': 2,
      'src/platform/config/settings.ts': 1,
      'deploy/helm/agent-work-platform/Chart.yaml': 2,
    });
    expect(read('src/platform/config/settings.ts', folder)).toContain(`VERSION = '${next}'`);
  });
});
