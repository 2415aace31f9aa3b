import { randomUUID } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { valid } from 'semver';
import { Semaphore } from '../../platform/concurrency/concurrency.js';
import type { HostEnvironment } from '../runtime/runtime.service.js';
import { npmRunner } from './fetch-npm.js';
import { type NpmArchive, readNpmArchive } from './npm-archive.js';
import { PackageUnavailable, removeTree } from './package-request.js';
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
