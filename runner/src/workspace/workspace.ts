import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Attachment, WorkerApi } from 'agent-work-platform-client/worker';
import { runStep } from '../processes/child.js';
import type { AgentSetup } from '../run/agent-setup.js';
import { addWorktree } from './git-worktree.js';

/** The names that the runner gives to its own logs, which no later run needs to download. */
export const LOG_NAME = /^awp-run-\d+\.jsonl$/;

/** The folder in which an agent works on one issue. It is kept, so that the next run finds what was begun. */
export class Workspace {
  readonly folder: string;
  readonly env: Record<string, string>;

  /** @param secrets gets the values that the agent may read and no log may show */
  constructor(
    private readonly agent: Pick<AgentSetup, 'name' | 'root' | 'config'>,
    private readonly key: string,
    private readonly mark: string,
    secrets: string[] = [],
  ) {
    this.folder = join(agent.root, agent.name, key);
    this.env = this.environment(secrets);
  }

  /** Makes the folder unless an earlier run has completed it. `created` of the state says so. */
  async create(created: boolean, signal: AbortSignal): Promise<void> {
    const { folder, key, mark } = this;
    const { root, config } = this.agent;
    if (created && existsSync(folder)) return;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(this.env['HOME']!, { recursive: true, mode: 0o700 });
    if (config.git) await addWorktree({ ...config.git, root, folder, key, mark }, signal);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await this.hook('after_create', signal);
  }

  async hook(name: 'after_create' | 'before_turn' | 'after_run', signal: AbortSignal): Promise<void> {
    const { [name]: script, timeout } = this.agent.config.hooks;
    const { folder: cwd, env, mark } = this;
    if (script !== '')
      await runStep(name, { command: ['/bin/sh', '-c', script], cwd, env, mark }, timeout, signal);
  }

  /** Writes a file of the runner below .awp. */
  write(name: string, text: string): string {
    const file = join(this.folder, '.awp', name);
    mkdirSync(join(this.folder, '.awp'), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Downloads files of the issue that are not here yet. Returns the paths of all, or of those alone. */
  async download(service: WorkerApi, files: Attachment[], newOnly = false): Promise<string[]> {
    const folder = join(this.folder, '.awp', 'files');
    const paths: string[] = [];
    for (const { id, filename, downloadUrl } of files.filter((file) => !LOG_NAME.test(file.filename))) {
      const path = join(folder, `${id.slice(-6)}-${filename.replaceAll(/[/\\\0]/g, '_')}`);
      const isHere = existsSync(path);
      if (!isHere || !newOnly) paths.push(path);
      if (isHere) continue;
      mkdirSync(folder, { recursive: true });
      // A download that breaks off must not look like the file.
      await pipeline(await service.download(downloadUrl), createWriteStream(`${path}.part`));
      renameSync(`${path}.part`, path);
    }
    return paths;
  }

  /** Returns the environment of the agent: made from nothing, plus what the file allows. */
  private environment(secrets: string[]): Record<string, string> {
    const { root, name: agent, config } = this.agent;
    const { PATH = '/usr/local/bin:/usr/bin:/bin', LANG = 'C.UTF-8' } = process.env;
    const env: Record<string, string> = { PATH, LANG, HOME: join(root, agent, '.home'), AWP_ISSUE: this.key };
    for (const role of ['AUTHOR', 'COMMITTER']) {
      env[`GIT_${role}_NAME`] = agent;
      env[`GIT_${role}_EMAIL`] = `${agent}@awp.invalid`;
    }
    for (const name of ['TMPDIR', 'TZ', ...config.env]) {
      const value = process.env[name];
      if (value === undefined) continue;
      env[name] = value;
      if (config.env.includes(name) && name !== 'HOME' && value.length >= 8) secrets.push(value);
    }
    return env;
  }
}
