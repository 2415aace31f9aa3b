import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runStep, type Step } from './shell.js';

const TIMEOUT_MS = 600_000;
const queues = new Map<string, Promise<unknown>>();

export interface Worktree {
  root: string;
  folder: string;
  repo: string;
  base: string;
  branch: string;
  mark: string;
}

/** Makes a worktree of a bare copy that all issues of the repository share. It keeps a branch that exists. */
export async function addWorktree(worktree: Worktree): Promise<void> {
  const cache = join(
    worktree.root,
    '.repos',
    `${createHash('sha256').update(worktree.repo).digest('hex').slice(0, 16)}.git`,
  );
  // Git locks its files and fails where another process holds the lock, so one runs after the other.
  const before = queues.get(cache) ?? Promise.resolve();
  // The run before reports its own failure.
  const mine = before.catch(() => undefined).then(() => fetchAndAdd(cache, worktree));
  queues.set(cache, mine);
  await mine;
}

/** Removes a worktree and keeps its branch. */
export async function pruneWorktrees(root: string, repo: string, mark: string): Promise<void> {
  const cache = join(root, '.repos', `${createHash('sha256').update(repo).digest('hex').slice(0, 16)}.git`);
  if (existsSync(cache)) await git(cache, ['worktree', 'prune'], mark);
}

async function fetchAndAdd(cache: string, { folder, repo, base, branch, mark }: Worktree): Promise<void> {
  if (!existsSync(join(cache, 'HEAD'))) await create(cache, repo, mark);
  await git(cache, ['fetch', '--quiet', '--prune', 'origin'], mark);
  await git(cache, ['worktree', 'prune'], mark);
  const known = await git(cache, ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], mark).then(
    () => true,
    // Git fails where there is no such branch.
    () => false,
  );
  const start = known ? [folder, branch] : ['-b', branch, folder, `refs/remotes/origin/${base}`];
  await git(cache, ['worktree', 'add', '--quiet', '--force', ...start], mark);
}

/** Fetches into refs/remotes, because git does not update a branch that a worktree has checked out. */
async function create(cache: string, repo: string, mark: string): Promise<void> {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  try {
    await git(cache, ['init', '--quiet', '--bare'], mark);
    await git(cache, ['remote', 'add', 'origin', repo], mark);
    appendFileSync(join(cache, 'info', 'exclude'), '.awp/\n');
  } catch (error) {
    rmSync(cache, { recursive: true, force: true });
    throw error;
  }
}

function git(cache: string, args: string[], mark: string): Promise<void> {
  // Git acts for the operator, with the operator's own keys and settings.
  const env = { ...(process.env as Record<string, string>), GIT_TERMINAL_PROMPT: '0' };
  const step: Step = {
    name: `git ${args[0]}`,
    command: ['git', ...args],
    cwd: cache,
    env,
    mark,
    timeout: TIMEOUT_MS,
  };
  return runStep(step);
}
