import { closeSync, existsSync, lstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { StdioServer } from '../server-description-and-limits.js';
import { childPath, isExecutable } from './host-programs.js';
import type { RunFolder } from './run-folder-environment-and-secret-files.js';

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

const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/**
 * The files of /etc that programs need to resolve names, check certificates, find libraries and know the time zone. Debian's
 * chromium is a script that reads its flags there.
 */
const ETC = `
  alternatives ca-certificates ca-certificates.conf chromium chromium.d crypto-policies fonts gai.conf group host.conf hosts ld.so.cache
  ld.so.conf ld.so.conf.d localtime mime.types nsswitch.conf passwd pki/ca-trust pki/tls/certs protocols resolv.conf
  services ssl/certs ssl/openssl.cnf timezone`;

const SYSTEM_FILES = [
  ...ETC.trim()
    .split(/\s+/)
    .map((name) => join('/etc', name)),
  '/opt/google',
  '/sys/devices/system/cpu',
];

/** A server with a network of its own asks our resolver, so it gets these files of its run folder (contract §7.10). */
const OWN_RESOLVER = ['/etc/resolv.conf', '/etc/hosts'];

/** One step of building the file system that a sandboxed server sees. The steps are executed in order. */
export type Mount =
  | { kind: 'read-only' | 'writable'; source: string; target: string }
  | { kind: 'link'; target: string; to: string }
  /** An empty folder, or an empty file, in place of the existing one. */
  | { kind: 'hidden'; target: string };

/**
 * Returns the file system of a server at the two strongest levels. It is an allow-list: the system's programs and
 * libraries, the runtime that runs the server, its own package, the paths that its variables name, and its own data
 * folder. Nothing else of this host exists for it, neither homes nor /var nor the service's data folder (contract §7.6).
 */
export function mountPlan(server: StdioServer, run: RunFolder, hidden: readonly string[]): Mount[] {
  const readable = [...SYSTEM_FILES, ...runtimeFolders(server.command), server.cwd, ...server.readOnlyPaths];
  const resolver = server.network === undefined ? [] : OWN_RESOLVER;
  const foreign: Mount[] = [
    { kind: 'writable', source: realpathSync(run.tmp), target: '/tmp' },
    ...SYSTEM_FOLDERS.flatMap(systemFolder),
    ...readable.filter((path) => !resolver.includes(path)).flatMap((path) => bind('read-only', path)),
    ...resolver.map((path): Mount => ({
      kind: 'read-only',
      source: join(run.path, basename(path)),
      target: path,
    })),
    ...server.writablePaths.flatMap((path) => bind('writable', path)),
  ];
  return [
    ...foreign,
    ...hidden
      .filter((path) => isReachable(path, foreign))
      .map((target): Mount => ({ kind: 'hidden', target })),
    ...(server.installDir === null ? [] : bind('read-only', server.installDir)),
    ...bind('writable', server.dataDir),
    ...bind('writable', run.path),
  ];
}

/** Returns the paths that are hidden from a child wherever a mounted folder contains them. */
export function hiddenPaths(serviceDataDir: string, further: readonly string[]): string[] {
  const paths = [serviceDataDir, ...further].map((path) => resolve(path));
  return [...new Set(paths.flatMap((path) => [path, ...(existsSync(path) ? [realpathSync(path)] : [])]))];
}

/** A path that does not exist cannot be mounted; the server reports it missing itself. */
function bind(kind: 'read-only' | 'writable', path: string): Mount[] {
  return existsSync(path) ? [{ kind, source: realpathSync(path), target: resolve(path) }] : [];
}

/** On a host with a merged /usr, /bin and /lib are links and have to stay links. */
function systemFolder(path: string): Mount[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink()
    ? [{ kind: 'link', target: path, to: readlinkSync(path) }]
    : bind('read-only', path);
}

function isReachable(path: string, mounts: readonly Mount[]): boolean {
  return existsSync(path) && mounts.some((mount) => mount.kind !== 'link' && contains(mount.target, path));
}

export function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/**
 * Whether a path of a server leads elsewhere than an admin meant. A server that writes in a folder can put a link in place
 * of a file of it, and its next start would mount what the link names, the key ring for example.
 * @param hidden the folders and files that no server may get
 */
export function leadsAway(
  { readOnlyPaths, writablePaths }: Pick<StdioServer, 'readOnlyPaths' | 'writablePaths'>,
  hidden: readonly string[],
): boolean {
  return [...readOnlyPaths, ...writablePaths].some((path) => {
    const [target, real] = [resolve(path), realPathOf(path)];
    const isSecret = hidden.some(
      (secret) => contains(secret, real) || (real !== target && contains(real, secret)),
    );
    const leavesFolder = writablePaths.some(
      (folder) => contains(resolve(folder), target) && !contains(realPathOf(folder), real),
    );
    return isSecret || leavesFolder;
  });
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A path that is missing is not mounted.
    return resolve(path);
  }
}
