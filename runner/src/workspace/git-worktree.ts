import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runStep } from '../processes/child.js';

const TIMEOUT_MS = 600_000;
const queues = new Map<string, Promise<unknown>>();

/**
 * Prepares the copy that all issues of the repository share, and adds a worktree. A branch that exists is kept. It fetches
 * into refs/remotes, because git does not update a branch that a worktree has checked out.
 */
const SCRIPT = `set -e
git init --quiet --bare .
git config remote.origin.url "$AWP_REPO"
git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
mkdir -p info
echo .awp/ > info/exclude
git fetch --quiet --prune origin
git worktree prune
if git show-ref --verify --quiet "refs/heads/$AWP_BRANCH"; then
  git worktree add --quiet --force "$AWP_FOLDER" "$AWP_BRANCH"
else
  git worktree add --quiet --force -b "$AWP_BRANCH" "$AWP_FOLDER" "refs/remotes/origin/$AWP_BASE"
fi`;

export interface Worktree {
  root: string;
  folder: string;
  repo: string;
  base: string;
  branch: string;
  mark: string;
}

/** Makes a worktree of a bare copy that all issues of the repository share. @throws {StepFailed} with the words of git */
export async function addWorktree(worktree: Worktree, signal: AbortSignal): Promise<void> {
  const { root, folder, repo, base, branch, mark } = worktree;
  const name = createHash('sha256').update(repo).digest('hex').slice(0, 16);
  const cwd = join(root, '.repos', `${name}.git`);
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  // Git acts for the operator, with the operator's own keys and settings.
  const env = { ...(process.env as Record<string, string>), GIT_TERMINAL_PROMPT: '0' };
  Object.assign(env, { AWP_REPO: repo, AWP_BRANCH: branch, AWP_FOLDER: folder, AWP_BASE: base });
  const options = { command: ['/bin/sh', '-c', SCRIPT], cwd, env, mark };
  // Git locks its files and fails where another process holds the lock, so one runs after the other.
  const before = queues.get(cwd) ?? Promise.resolve();
  // The run before reports its own failure.
  const mine = before.catch(() => undefined).then(() => runStep('git', options, TIMEOUT_MS, signal));
  queues.set(cwd, mine);
  await mine;
}
