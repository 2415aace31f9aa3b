import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { RunnerWorld } from '../../support/runner-world.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService({ settings: { LEASE_SECONDS: '30' } });
const isGone = (pid: number) =>
  !existsSync(`/proc/${pid}`) || /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

describe('a runner that is killed', () => {
  it('leaves no process behind, and the next one resumes the session with its lease', async () => {
    const world = await RunnerWorld.of(service);
    const issue = await world.issue(['daemon pid', 'until go', 'say done']);
    world.runner.start();
    const pid = Number(await until(() => world.runner.read('bot', issue.key, 'pid')));
    await world.runner.end('SIGKILL');
    await until(() => isGone(pid));
    world.runner.start();
    await world.becomes(issue, 'Resolved');
    const heard = world.runner.heard('bot', issue.key);
    expect(heard.map(({ turn }) => turn)).toEqual([1, 2]);
    expect(new Set(heard.map(({ session }) => session)).size).toBe(1);
    expect((await world.read(issue)).attempts).toBe(0);
  });

  it('lets no second runner work in its folder while it lives', async () => {
    const world = await RunnerWorld.of(service);
    world.runner.start();
    await until(() => world.runner.output.includes('works for bot'));
    expect(await world.runner.command(['run'])).toMatchObject({
      code: 78,
      output: expect.stringContaining('already works'),
    });
  });

  it('gives its issues back without an attempt when it is asked to end', async () => {
    const world = await RunnerWorld.of(service);
    const issue = await world.issue(['until go', 'say done']);
    world.runner.start();
    await world.prompts(issue, 1);
    await world.runner.end('SIGTERM');
    expect(await world.read(issue)).toMatchObject({ status: 'Open', attempts: 0 });
  });
});

describe('a plain command', () => {
  const script = `
    case "$(grep -o 'exit=[0-9]*' "$AWP_BRIEF")" in
      exit=0) echo "I did $AWP_ISSUE with a token of \${#AWP_MCP_TOKEN} letters" > "$AWP_RESULT"; exit 0;;
      exit=75) echo 'not my work'; exit 75;;
      *) echo 'the last line'; exit 3;;
    esac`;

  it('resolves an issue with 0, gives it back with 75, and asks for a review with another code', async () => {
    const world = await RunnerWorld.of(service, { command: ['/bin/sh', '-c', script], capacity: 3 });
    const failed = await world.issue([], { description: 'exit=3' });
    const done = await world.issue([], { description: 'exit=0' });
    world.runner.start();
    await world.becomes(done, 'Resolved');
    expect((await world.comments(done))[0]).toMatch(
      new RegExp(`^I did ${done.key} with a token of [1-9]\\d+ letters`),
    );
    await world.becomes(failed, 'PendingReview');
    expect((await world.comments(failed))[0]).toMatch(/^The command ended with code 3[^]*the last line/);
    const given = await world.issue([], { description: 'exit=75' });
    await until(() => world.runner.output.includes(`${given.key} ended: The command gave the issue back.`));
    await world.runner.end('SIGKILL');
    expect((await world.read(given)).attempts).toBe(0);
  });
});

describe('an issue that a command gives back with 75', () => {
  it('waits while others are done, and its equal logs are attached once', async () => {
    const world = await RunnerWorld.of(service, {
      command: ['/bin/sh', '-c', 'grep -q ready "$AWP_BRIEF" || exit 75'],
    });
    const given = await world.issue([], { description: 'not yet', priority: 'urgent' });
    const done = await world.issue([], { description: 'ready' });
    world.runner.start();
    await world.becomes(done, 'Resolved');
    const path = `/api/projects/issues/${given.id}`;
    await until(async () => (await service.owner.get<unknown[]>(`${path}/runs`)).body.length === 2);
    await until(
      async () => String((await service.owner.get(`${path}/explain`)).body['reason']) === 'released',
    );
    expect((await service.owner.get<unknown[]>(`${path}/attachments`)).body).toHaveLength(1);
    await service.owner.put(path, { description: 'ready' });
    await world.becomes(given, 'Resolved');
    expect((await world.read(given)).attempts).toBe(0);
  });
});

describe('a workspace', () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid', ...args], {
      cwd,
      stdio: 'pipe',
    });

  it('is a worktree on the branch of the issue, in which hooks run', async () => {
    const world = await RunnerWorld.of(service);
    const repo = join(world.runner.folder, 'app');
    mkdirSync(repo);
    git(repo, 'init', '--quiet', '--initial-branch=main');
    writeFileSync(join(repo, 'README'), 'hello');
    git(repo, 'add', '.');
    git(repo, 'commit', '--quiet', '-m', 'first');
    const hooks = {
      after_create: 'cat README > made',
      after_run: 'test -f made && echo "tests are red" && exit 1',
    };
    world.runner.configure(service.baseUrl, { git: { repo: './app' }, hooks });
    const issue = await world.issue(['say done']);
    world.runner.start();
    await world.becomes(issue, 'PendingReview');
    const folder = world.runner.in('bot', issue.key, '.');
    expect(String(git(folder, 'branch', '--show-current')).trim()).toBe(`awp/${issue.key}`);
    expect(String(git(folder, 'status', '--short')).trim()).toBe('?? made');
    expect(world.runner.read('bot', issue.key, 'made')).toBe('hello');
    expect((await world.comments(issue))[0]).toMatch(/^after_run failed[^]*tests are red/);
  });

  it('that cannot be made gives the issue back with the output of git', async () => {
    const world = await RunnerWorld.of(service, { git: { repo: './missing' } });
    const issue = await world.issue(['say done']);
    world.runner.start();
    const [comment] = await until(async () => {
      const comments = await world.comments(issue);
      return comments.length > 0 ? comments : null;
    });
    expect(comment).toMatch(/git ended with code 128[^]*missing/);
    expect(await world.read(issue)).toMatchObject({ status: 'Open', attempts: 1 });
  });
});
