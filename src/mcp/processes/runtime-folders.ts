import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { childPath } from './child-path.js';
import { isExecutable } from './host-tools.js';

/**
 * The folders that a command needs in order to run: of itself, of what it links to, and of the interpreter
 * that its first line names, each with the prefix that holds its libraries (a Node under ~/.nvm, the Python
 * behind a venv).
 */
export function runtimeFolders(command: string): string[] {
  const programs = programsBehind(command, 3);
  return [...new Set([...programs, process.execPath].map(prefixOf))].filter((folder) => !isSystem(folder));
}

/** The absolute path of a command: as given, or on the fixed PATH; null where there is none. */
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

/** `#!/path/python -I` names /path/python, `#!/usr/bin/env node` names node. */
function interpreterOf(path: string): string | null {
  const words = firstLine(path).match(/^#!\s*(\S+)(?:\s+(\S+))?/);
  if (!words) return null;
  return basename(words[1]) === 'env' && words[2] ? words[2] : words[1];
}

function firstLine(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(256);
    return bytes.toString('latin1', 0, readSync(file, bytes)).split('\n', 1)[0];
  } finally {
    closeSync(file);
  }
}

/**
 * `/opt/node` for `/opt/node/bin/node`, `~/.pyenv` for `~/.pyenv/shims/python`; never a home or the root, where
 * only the program's own folder is taken.
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
