import { createWriteStream, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { AgentConfig } from '../config/config-schema.js';
import type { Service, WorkItem } from '../service/service.js';
import { addWorktree } from './git-worktree.js';
import { runStep } from './shell.js';

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
    mkdirSync(join(root, this.options.agent, '.home'), { recursive: true, mode: 0o700 });
    if (config.git) {
      const { repo, base, branch } = config.git;
      await addWorktree({
        root,
        folder: this.folder,
        repo,
        base,
        branch: branch.replace('{key}', key),
        mark,
      });
    } else mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    await this.hook('after_create', signal);
  }

  async hook(name: 'after_create' | 'before_turn' | 'after_run', signal: AbortSignal): Promise<void> {
    const { hooks } = this.options.config;
    if (hooks[name] === '') return;
    const command = ['/bin/sh', '-c', hooks[name]];
    const { mark } = this.options;
    await runStep({ name, command, cwd: this.folder, env: this.env, mark, timeout: hooks.timeout }, signal);
  }

  /** Writes a file of the runner below .awp. */
  write(name: string, text: string): string {
    const file = join(this.folder, '.awp', name);
    mkdirSync(join(this.folder, '.awp'), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Downloads files of the issue that are not here yet. Returns their paths. */
  async download(service: Service, files: WorkItem['newAttachments']): Promise<string[]> {
    const folder = join(this.folder, '.awp', 'files');
    const paths: string[] = [];
    for (const { id, filename, downloadUrl } of files.filter((file) => !LOG_NAME.test(file.filename))) {
      const path = join(folder, `${id.slice(-6)}-${filename.replaceAll(/[/\\\0]/g, '_')}`);
      paths.push(path);
      if (existsSync(path)) continue;
      mkdirSync(folder, { recursive: true });
      const bytes = await service.download(downloadUrl);
      if (bytes) await pipeline(bytes, createWriteStream(path));
    }
    return paths;
  }
}

/** Returns the environment of the agent: made from nothing, plus what the file allows. */
function environmentOf({ root, agent, key, config, secrets }: WorkspaceOptions): Record<string, string> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', LANG = 'C.UTF-8', TMPDIR, TZ } = process.env;
  const home = join(root, agent, '.home');
  const person = { NAME: agent, EMAIL: `${agent}@awp.invalid` };
  const env: Record<string, string> = {
    PATH,
    LANG,
    HOME: home,
    AWP_ISSUE: key,
    ...(TMPDIR && { TMPDIR }),
    ...(TZ && { TZ }),
  };
  for (const role of ['AUTHOR', 'COMMITTER'] as const)
    for (const [field, value] of Object.entries(person)) env[`GIT_${role}_${field}`] = value;
  for (const name of config.env) {
    const value = process.env[name];
    if (value === undefined) continue;
    env[name] = value;
    if (name !== 'HOME' && value.length >= 8) secrets.push(value);
  }
  return env;
}
