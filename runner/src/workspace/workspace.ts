import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Attachment, WorkerApi } from 'agent-work-platform-client/worker';
import type { AgentConfig } from '../config/config-schema.js';
import { runStep } from '../processes/child.js';
import type { AgentSetup } from '../run/agent-setup.js';
import { fileNameOf, folderBelow, isFolder, pathBelow, readOwn, writeOwn } from './paths.js';

/** The names that the runner gives to its own logs, which no later run needs to download. */
const LOG_NAME = /^awp-run-\d+\.jsonl$/;
const GIT_MS = 600_000;
const MB = 1024 * 1024;

/**
 * Prepares the copy that all issues of the repository share, and adds a worktree. A branch that exists is kept. It fetches
 * into refs/remotes, because git does not update a branch that a worktree has checked out. Git fails where another process
 * holds its locks, so one runs after the other.
 */
const WORKTREE = `set -e
exec 9> awp.lock
flock 9
git init --quiet --bare .
git config remote.origin.url "$AWP_REPO"
git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
mkdir -p info
echo .awp/ > info/exclude
git fetch --quiet --prune origin
git worktree prune
git show-ref --verify --quiet "refs/heads/$AWP_BRANCH" || git branch "$AWP_BRANCH" "refs/remotes/origin/$AWP_BASE"
git worktree add --quiet --force "$AWP_FOLDER" "$AWP_BRANCH"`;

/** Git acts for the operator, with the operator's own keys and settings. */
export const gitEnv = () => ({ ...(process.env as Record<string, string>), GIT_TERMINAL_PROMPT: '0' });

/** The folder in which an agent works on one issue. It is kept, so that the next run finds what was begun. */
export class Workspace {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** The files that were too large for this run. */
  private readonly leftOut = new Set<string>();

  constructor(
    private readonly agent: Pick<AgentSetup, 'name' | 'root' | 'config'>,
    private readonly key: string,
    private readonly mark: string,
  ) {
    this.folder = join(agent.root, agent.name, key);
    this.env = this.environment();
  }

  /**
   * Makes the folder unless an earlier run has completed it. `created` of the state says so. A link in its place is removed.
   * @throws {ConfigError} when a folder on the way is a link
   */
  async create(created: boolean, signal: AbortSignal): Promise<void> {
    const { root, name, config } = this.agent;
    if (created && isFolder(this.folder)) return;
    folderBelow(root, name, '.home');
    rmSync(this.folder, { recursive: true, force: true });
    if (config.git) await this.addWorktree(config.git, signal);
    folderBelow(root, name, this.key);
    await this.hook('after_create', signal);
  }

  async hook(name: 'after_create' | 'before_turn' | 'after_run', signal: AbortSignal): Promise<void> {
    const { [name]: script, timeout } = this.agent.config.hooks;
    const { folder: cwd, env, mark } = this;
    const command = ['/bin/sh', '-c', script];
    if (script !== '') await runStep(name, { command, cwd, env, mark }, timeout, signal);
  }

  /** Writes a file of the runner below .awp. */
  write(name: string, text: string): string {
    const file = pathBelow(this.own(), name);
    writeOwn(file, text);
    return file;
  }

  /** Reads the beginning of a file below .awp, at most so many bytes. @throws {ConfigError} as `readOwn` does */
  read(name: string, most: number): string {
    return readOwn(pathBelow(this.own(), name), most);
  }

  /** Returns a folder of the runner itself in that of the issue. @throws {ConfigError} when it is a link */
  private own(...names: string[]): string {
    return folderBelow(this.agent.root, this.agent.name, this.key, '.awp', ...names);
  }

  /**
   * Downloads files of the issue that are not here yet, up to `limits.files_mb` for all of them. Returns the paths of all, or of
   * those alone; of a file that does not fit also that it is not here.
   */
  async download(service: WorkerApi, files: Attachment[], newOnly = false): Promise<string[]> {
    const folder = this.own('files');
    const most = this.agent.config.limits.files_mb * MB;
    const paths: string[] = [];
    for (const file of files.filter(({ filename }) => !LOG_NAME.test(filename))) {
      const path = pathBelow(folder, `${file.id.slice(-6)}-${fileNameOf(file.filename)}`);
      const isKnown = existsSync(path) || this.leftOut.has(file.id);
      if (!isKnown) await this.fetch(service, file, path, most - bytesIn(folder));
      const note = this.leftOut.has(file.id) ? ' (not downloaded: beyond limits.files_mb)' : '';
      if (!isKnown || !newOnly) paths.push(path + note);
    }
    return paths;
  }

  /** Writes one file, or leaves it out where it has more than `room` bytes, whatever the service says of its size. */
  private async fetch(service: WorkerApi, { id, size, downloadUrl }: Attachment, path: string, room: number) {
    const part = `${path}.part`;
    // A download that breaks off must not look like the file.
    rmSync(part, { force: true });
    try {
      if (size > room) throw new TooLarge();
      const bytes = await service.download(downloadUrl);
      // Opened before anything is read: a stream that still opens its file when it is ended would make it after it is removed.
      const file = await open(part, 'wx');
      await pipeline(bytes, atMost(room), file.createWriteStream());
      renameSync(part, path);
    } catch (error) {
      rmSync(part, { force: true });
      if (!(error instanceof TooLarge)) throw error;
      this.leftOut.add(id);
    }
  }

  /** Makes a worktree of a bare copy that all issues of the repository share. @throws {StepFailed} with the words of git */
  private async addWorktree({ repo, base, branch }: NonNullable<AgentConfig['git']>, signal: AbortSignal) {
    const { folder, key, mark } = this;
    const name = createHash('sha256').update(repo).digest('hex').slice(0, 16);
    const cwd = folderBelow(this.agent.root, '.repos', `${name}.git`);
    const values = { AWP_REPO: repo, AWP_BASE: base, AWP_FOLDER: folder };
    const env = { ...gitEnv(), ...values, AWP_BRANCH: branch.replace('{key}', key) };
    await runStep('git', { command: ['/bin/sh', '-c', WORKTREE], cwd, env, mark }, GIT_MS, signal);
  }

  /** Returns the environment of the agent: made from nothing, plus what the file allows. */
  private environment(): Record<string, string> {
    const { root, name, config } = this.agent;
    const { PATH = '/usr/local/bin:/usr/bin:/bin', LANG = 'C.UTF-8' } = process.env;
    const env: Record<string, string> = { PATH, LANG, HOME: join(root, name, '.home'), AWP_ISSUE: this.key };
    for (const role of ['GIT_AUTHOR', 'GIT_COMMITTER'])
      Object.assign(env, { [`${role}_NAME`]: name, [`${role}_EMAIL`]: `${name}@awp.invalid` });
    for (const variable of ['TMPDIR', 'TZ', ...config.env])
      if (process.env[variable] !== undefined) env[variable] = process.env[variable];
    return env;
  }
}

class TooLarge extends Error {}

/** Passes bytes on. @throws {TooLarge} at the first one beyond `room` */
function atMost(room: number) {
  return async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let passed = 0;
    for await (const chunk of source) {
      passed += chunk.byteLength;
      if (passed > room) throw new TooLarge();
      yield chunk;
    }
  };
}

/** An agent may have changed what is there: a link counts as itself, and a file that is gone as nothing. */
const bytesIn = (folder: string) =>
  readdirSync(folder).reduce(
    (sum, name) => sum + (lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
