import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentConfig } from '../config/config-schema.js';
import { runStep } from '../processes/child.js';

const TIMEOUT_MS = 600_000;

/**
 * Prepares the copy that all issues of the repository share, and adds a worktree. A branch that exists is kept. It fetches
 * into refs/remotes, because git does not update a branch that a worktree has checked out. Git fails where another process
 * holds its locks, so one runs after the other.
 */
const SCRIPT = `set -e
exec 9> awp.lock
flock 9
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

/** Git acts for the operator, with the operator's own keys and settings. */
export const gitEnv = () => ({ ...(process.env as Record<string, string>), GIT_TERMINAL_PROMPT: '0' });

type Worktree = NonNullable<AgentConfig['git']> & Record<'root' | 'folder' | 'key' | 'mark', string>;

/** Makes a worktree of a bare copy that all issues of the repository share. @throws {StepFailed} with the words of git */
export async function addWorktree(worktree: Worktree, signal: AbortSignal): Promise<void> {
  const { repo, base, branch, root, folder, key, mark } = worktree;
  const name = createHash('sha256').update(repo).digest('hex').slice(0, 16);
  const cwd = join(root, '.repos', `${name}.git`);
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  const values = { AWP_REPO: repo, AWP_BASE: base, AWP_FOLDER: folder };
  const env = { ...gitEnv(), ...values, AWP_BRANCH: branch.replace('{key}', key) };
  await runStep('git', { command: ['/bin/sh', '-c', SCRIPT], cwd, env, mark }, TIMEOUT_MS, signal);
}
