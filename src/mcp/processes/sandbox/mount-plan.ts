import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { runtimeFolders } from './runtime-folders.js';
import type { RunFolder } from './run-folder.js';
import type { StdioServer } from '../server-description.js';

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
