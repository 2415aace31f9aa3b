import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { childPath } from './child-path.js';
import { isExecutable } from './host-programs.js';

/**
 * Returns the folders that a command needs in order to run: its own, that of the file it links to, and that of the
 * interpreter that its first line names, each with the prefix that holds its libraries (a Node under ~/.nvm, the Python
 * behind a venv).
 */
export function runtimeFolders(command: string): string[] {
  const programs = programsBehind(command, 3);
  return [...new Set([...programs, process.execPath].map(prefixOf))].filter((folder) => !isSystem(folder));
}

/**
 * Returns the absolute path of a command, as given or on the fixed PATH; null where it is missing or not executable.
 */
export function resolveCommand(command: string): string | null {
  const candidates = isAbsolute(command)
    ? [command]
    : childPath(command).map((folder) => join(folder, command));
  return candidates.find(isExecutable) ?? null;
}

function programsBehind(command: string, depth: number): string[] {
  const path = resolveCommand(command);
  if (path === null || depth === 0) return [];
  const real = realpathSync(path);
  const interpreter = interpreterOf(real);
  return [path, real, ...(interpreter === null ? [] : programsBehind(interpreter, depth - 1))];
}

/** Returns /path/python for `#!/path/python -I`, and node for `#!/usr/bin/env node`. */
function interpreterOf(path: string): string | null {
  const [, program, argument] = /^#!\s*(\S+)(?:\s+(\S+))?/.exec(firstLine(path)) ?? [];
  if (program === undefined) return null;
  return basename(program) === 'env' && argument ? argument : program;
}

function firstLine(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(256);
    const [line = ''] = bytes.toString('latin1', 0, readSync(file, bytes)).split('\n', 1);
    return line;
  } finally {
    closeSync(file);
  }
}

/**
 * Returns `/opt/node` for `/opt/node/bin/node`, and `~/.pyenv` for `~/.pyenv/shims/python`. Where the prefix would be a
 * home or the root, it returns only the program's own folder.
 */
function prefixOf(program: string): string {
  const folder = dirname(program);
  const prefix = dirname(folder);
  const tooWide = prefix === '/' || prefix === homedir() || prefix === '/home' || prefix === '/root';
  return ['bin', 'shims'].includes(basename(folder)) && !tooWide ? prefix : folder;
}

function isSystem(folder: string): boolean {
  return ['/usr', '/bin', '/sbin'].some((system) => folder === system || folder.startsWith(`${system}/`));
}
