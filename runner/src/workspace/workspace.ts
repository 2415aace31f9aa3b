import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Schemas } from 'agent-work-platform-client';
import type { AgentConfig } from '../config/config-schema.js';
import { runStep } from '../processes/child.js';
import type { Service } from '../service/service.js';
import { addWorktree } from './git-worktree.js';

/** The names that the runner gives to its own logs, which no later run needs to download. */
export const LOG_NAME = /^awp-run-\d+\.jsonl$/;

export interface WorkspaceOptions {
  root: string;
  agent: string;
  key: string;
  config: AgentConfig;
  mark: string;
  secrets: string[];
}

/** The folder in which an agent works on one issue. It is kept, so that the next run finds what was begun. */
export class Workspace {
  readonly folder: string;
  readonly env: Record<string, string>;

  constructor(private readonly options: WorkspaceOptions) {
    const { root, agent, key } = options;
    this.folder = join(root, agent, key);
    this.env = environmentOf(options);
  }

  /** Makes the folder unless an earlier run has completed it. `created` of the state says so. */
  async create(created: boolean, signal: AbortSignal): Promise<void> {
    const { root, config, key, mark } = this.options;
    if (created && existsSync(this.folder)) return;
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.env['HOME']!, { recursive: true, mode: 0o700 });
    if (config.git) {
      const branch = config.git.branch.replace('{key}', key);
      await addWorktree({ ...config.git, root, folder: this.folder, branch, mark }, signal);
    } else mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    await this.hook('after_create', signal);
  }

  async hook(name: 'after_create' | 'before_turn' | 'after_run', signal: AbortSignal): Promise<void> {
    const { config, mark } = this.options;
    const { [name]: script, timeout } = config.hooks;
    if (script === '') return;
    const options = { command: ['/bin/sh', '-c', script], cwd: this.folder, env: this.env, mark };
    await runStep(name, options, timeout, signal);
  }

  /** Writes a file of the runner below .awp. */
  write(name: string, text: string): string {
    const file = join(this.folder, '.awp', name);
    mkdirSync(join(this.folder, '.awp'), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Downloads files of the issue that are not here yet. Returns the paths of all, or of those alone. */
  async download(
    service: Service,
    files: Schemas['AttachmentResponse'][],
    newOnly = false,
  ): Promise<string[]> {
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
}

/** Returns the environment of the agent: made from nothing, plus what the file allows. */
function environmentOf({ root, agent, key, config, secrets }: WorkspaceOptions): Record<string, string> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', LANG = 'C.UTF-8' } = process.env;
  const env: Record<string, string> = { PATH, LANG, HOME: join(root, agent, '.home'), AWP_ISSUE: key };
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
