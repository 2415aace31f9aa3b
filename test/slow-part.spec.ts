import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { changedFiles, partOf, slowFilesOfChange, slowFilesOfDiff } from '../scripts/slow-part.mjs';
import { fileOf, SLOW, slowParts } from './support/slow-files.mjs';

const parts = slowParts();

describe('the parts of the slow files', () => {
  it('hold each slow file once', () => {
    expect(parts.flat().toSorted()).toEqual(Object.keys(SLOW).toSorted());
  });

  it('take equally long', () => {
    const seconds = parts.map((names) =>
      names.reduce((sum, name) => sum + SLOW[name as keyof typeof SLOW], 0),
    );
    expect(Math.max(...seconds) - Math.min(...seconds)).toBeLessThan(20);
  });

  it('are all run within as many days as there are parts, at the turn of a year too', () => {
    const days = parts.map((_, at) => partOf(new Date(Date.UTC(2026, 11, 30 + at, 23))));
    expect(days.toSorted()).toEqual(parts.map((_, at) => at + 1));
  });

  it('are refused under a number that no part has', () => {
    expect(() => slowFilesOfChange(parts.length + 1)).toThrow('--with-slow-part');
  });
});

describe('the slow files that a change edits', () => {
  const folder = mkdtempSync(join(tmpdir(), 'awp-slow-part-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const git = (at: string, ...args: string[]) => {
    const author = ['-c', 'user.name=x', '-c', 'user.email=x@example.com', '-c', 'init.defaultBranch=main'];
    execFileSync('git', [...author, ...args], { cwd: join(folder, at), stdio: 'pipe' });
  };
  const edit = (at: string, name: string) => {
    const file = join(folder, at, fileOf(name));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${name} ${Math.random()}`);
  };
  const commit = (at: string, name: string) => {
    edit(at, name);
    git(at, 'add', '.');
    git(at, 'commit', '--quiet', '--message', name);
  };
  const edited = (at: string) => slowFilesOfDiff(changedFiles(join(folder, at)));

  it('are none without Git, and none in a clone that has one commit only', () => {
    mkdirSync(join(folder, 'origin'));
    expect(edited('origin')).toEqual([]);
    git('origin', 'init', '--quiet');
    commit('origin', 'demo');
    expect(edited('origin')).toEqual([]);
  });

  it('are those of the last commit on the default branch', () => {
    commit('origin', 'platform/backup');
    commit('origin', 'platform/doctor');
    expect(edited('origin')).toEqual(['platform/doctor']);
    git('.', 'clone', '--quiet', 'origin', 'clone');
    expect(edited('clone')).toEqual(['platform/doctor']);
  });

  it('are those of a branch since it left the default branch, and those that no commit has yet', () => {
    git('clone', 'switch', '--quiet', '--create', 'change');
    commit('clone', 'platform/upgrade');
    commit('clone', 'work/links');
    edit('clone', 'demo');
    commit('origin', 'dashboard/oidc');
    git('clone', 'fetch', '--quiet');
    expect(edited('clone').toSorted()).toEqual(['demo', 'platform/upgrade']);
  });

  it('are those of the modules that it edits too, up to two minutes of them', () => {
    expect(
      slowFilesOfDiff(['src/gateway/webhooks/webhooks.service.ts', 'src/app.start.ts', 'README.md']),
    ).toEqual(
      expect.arrayContaining([
        'gateway/webhooks',
        'gateway/webhooks-backlog',
        'gateway/webhooks-key-rotation',
      ]),
    );
    const modules = Object.keys(SLOW).map((name) => `src/${name.split('/', 2).join('/')}/x.ts`);
    const chosen = slowFilesOfDiff([...modules, fileOf('mcp/catalog-import')]);
    expect(chosen[0]).toBe('mcp/catalog-import');
    const seconds = chosen.slice(1).map((name) => SLOW[name as keyof typeof SLOW]);
    expect(seconds.reduce((sum, own) => sum + own, 0)).toBeLessThanOrEqual(120);
    expect(chosen.length).toBeGreaterThan(10);
  });

  it('are added to the part, each once', () => {
    const [name] = parts[0]!;
    commit('clone', name!);
    const files = slowFilesOfChange(1, join(folder, 'clone'));
    expect(files.toSorted()).toEqual([...new Set([...parts[0]!, 'platform/upgrade', 'demo'])].toSorted());
  });
});
