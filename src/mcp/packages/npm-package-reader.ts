import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { valid } from 'semver';
import { extract } from 'tar-stream';
import { Semaphore } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import type { HostEnvironment } from '../runtime/runtime.service.js';
import { npmRunner } from './install-npm-package.js';
import { PackageUnavailable, removeTree } from './package-unavailable-and-folders.js';
import type { PackageSandbox } from './package-sandbox.js';

const LIMIT_MS = 60_000;
/** Each is a process of npm; further ones wait, and their time begins after that. */
const AT_ONCE = 2;
const FLAGS = [
  ...['--ignore-scripts', '--no-update-notifier', '--no-progress', '--logs-max=0', '--loglevel=error'],
  ...['--fetch-timeout=15000', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'],
];

/** Fetches packages by npm, which checks their integrity, to look at them. None of their code runs, and nothing is kept. */
export class NpmPackageReader {
  private readonly reads = new Semaphore(AT_ONCE);

  constructor(
    private readonly host: HostEnvironment,
    private readonly sandbox: PackageSandbox,
    private readonly dataFolder: string,
  ) {}

  /**
   * @param version an exact version, or a tag such as `latest`
   * @throws {PackageUnavailable} when npm cannot fetch it, or when it is no package of npm
   */
  read(name: string, version: string): Promise<NpmArchive> {
    return this.reads.run(() => this.readNow(name, version));
  }

  private async readNow(name: string, version: string): Promise<NpmArchive> {
    const folder = join(this.dataFolder, 'mcp', 'imports', randomUUID());
    const context = { folder, log: () => undefined, signal: AbortSignal.timeout(LIMIT_MS), lock: null };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const npm = await npmRunner(this.host, this.sandbox, context);
      await npm(['pack', `${name}@${version}`, `--pack-destination=${folder}`, ...FLAGS]);
      const archive = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
      if (archive === undefined) throw new PackageUnavailable('npm fetched nothing for the package.');
      const read = await readNpmArchive(join(folder, archive));
      const isOther = valid(version) === version && read.manifest.version !== version;
      if (read.manifest.name !== name || isOther)
        throw new PackageUnavailable(`npm knows no ${name}@${version}.`);
      return read;
    } catch (error) {
      if (error !== context.signal.reason) throw error;
      throw new PackageUnavailable('The registry did not give the package within 60 seconds. Try again.');
    } finally {
      await removeTree(folder);
    }
  }
}

/** What is read of an archive of npm. Nothing of it is unpacked, so that its links and paths mean nothing here. */
export interface NpmArchive {
  /** `sha512-…` of the archive, in the form of a lockfile. */
  integrity: string;
  manifest: Record<string, unknown> & { name: string; version: string };
  /** The README, or an empty text. */
  readme: string;
  /** The JavaScript of the package without that of packages in it, up to a limit. */
  code: string;
}

const README = /^readme(\.(md|markdown|txt))?$/i;
const CODE = /^(?!.*node_modules\/).*\.[cm]?js$/;
const MOST_TEXT_BYTES = 2 * 1024 * 1024;
const MOST_CODE_BYTES = 4 * 1024 * 1024;
/** Unpacked: a small archive may hold very much. */
const MOST_BYTES = 2 * 1024 * 1024 * 1024;

/** @throws {PackageUnavailable} when the file is no archive of a package */
export async function readNpmArchive(file: string): Promise<NpmArchive> {
  const digest = createHash('sha512');
  await pipeline(createReadStream(file), digest);
  const { manifest, readme, code } = await textsIn(file).catch((error: unknown) => {
    throw error instanceof PackageUnavailable ? error : unusable();
  });
  if (!isManifest(manifest)) throw unusable();
  return { integrity: `sha512-${digest.digest('base64')}`, manifest, readme, code };
}

function unusable(): PackageUnavailable {
  return new PackageUnavailable('The archive of the package cannot be read: it has no package.json of npm.');
}

async function textsIn(file: string): Promise<{ manifest: unknown; readme: string; code: string }> {
  const found = { manifest: null as unknown, readme: '', code: [] as string[] };
  const entries = extract();
  const fed = pipeline(createReadStream(file), createGunzip(), entries);
  // The loop below gets the same error.
  fed.catch(() => undefined);
  let total = 0;
  let codeBytes = 0;
  for await (const entry of entries) {
    const { name, type, size = 0 } = entry.header;
    total += size;
    if (total > MOST_BYTES) throw new PackageUnavailable('The package is too large to be looked at.');
    const path = name.slice(name.indexOf('/') + 1);
    const isText = type === 'file' && size <= MOST_TEXT_BYTES;
    if (isText && path === 'package.json') found.manifest = JSON.parse(await textOf(entry));
    else if (isText && README.test(path)) found.readme ||= await textOf(entry);
    else if (type === 'file' && CODE.test(path) && codeBytes + size <= MOST_CODE_BYTES) {
      codeBytes += size;
      found.code.push(await textOf(entry));
    } else entry.resume();
  }
  await fed;
  return { ...found, code: found.code.join('\n') };
}

async function textOf(entry: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function isManifest(value: unknown): value is NpmArchive['manifest'] {
  const { name, version } = (value ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof version === 'string';
}
