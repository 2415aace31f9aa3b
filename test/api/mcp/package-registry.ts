import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

interface Published {
  manifest: Record<string, unknown>;
  archive: Buffer;
}

/** How the registry serves the archive of a package: correctly, with other bytes, or not at all. */
export type Treatment = 'honest' | 'other bytes' | 'silence';

/** An npm registry on loopback that serves what a test publishes and can misbehave. */
export class PackageRegistry {
  readonly requests: string[] = [];
  /** The headers `authorization` of all requests that have one. */
  readonly credentials: string[] = [];
  treatment: Treatment = 'honest';
  /** Packages by name, then by version. */
  private readonly packages = new Map<string, Map<string, Published>>();
  /** What the registry announces in place of a package's integrity, and sends in place of its archive. */
  private readonly lies = new Map<string, { integrity: string | null; archive?: Buffer }>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      if (request.headers.authorization) this.credentials.push(request.headers.authorization);
      this.answer(decodeURIComponent(request.url ?? '/'), response);
    });
  }

  static async start(): Promise<PackageRegistry> {
    const registry = new PackageRegistry();
    registry.server.listen(0, '127.0.0.1');
    await once(registry.server, 'listening');
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Publishes a package and returns the integrity of its archive. */
  async publish(
    manifest: { name: string; version: string } & Record<string, unknown>,
    files: Record<string, string>,
  ): Promise<string> {
    const archive = await archiveOf({ ...files, 'package.json': JSON.stringify(manifest) });
    const versions = this.packages.get(manifest.name) ?? new Map<string, Published>();
    this.packages.set(manifest.name, versions.set(manifest.version, { manifest, archive }));
    return integrityOf(archive);
  }

  /**
   * Announces another integrity for a package from now on, made from those of the honest archive and of one with other
   * files; null announces none. The other archive is sent.
   */
  async lieAbout(
    name: string,
    files: Record<string, string>,
    announce: (honest: string, other: string) => string | null,
  ): Promise<void> {
    const [version, { manifest, archive: honest }] = [...(this.packages.get(name) ?? [])].at(-1)!;
    const archive = await archiveOf({ ...files, 'package.json': JSON.stringify(manifest) });
    const integrity = announce(integrityOf(honest), integrityOf(archive));
    this.lies.set(`${name}@${version}`, { integrity, archive });
  }

  /** Takes all lies back. */
  beHonest(): void {
    this.lies.clear();
  }

  private answer(path: string, response: ServerResponse): void {
    this.requests.push(path);
    const [name = '', file] = path.slice(1).split('/-/');
    const versions = this.packages.get(name);
    const version = file?.replace('.tgz', '') ?? '';
    const archive = this.lies.get(`${name}@${version}`)?.archive ?? versions?.get(version)?.archive;
    if (versions && file === undefined) this.sendMetadata(name, versions, response);
    else if (archive) this.send(archive, response);
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
  }

  private sendMetadata(name: string, published: Map<string, Published>, response: ServerResponse): void {
    const versions = [...published].map(([version, { manifest, archive }]) => {
      const lie = this.lies.get(`${name}@${version}`);
      const integrity = lie ? lie.integrity : integrityOf(archive);
      const dist = { tarball: `${this.url}${name}/-/${version}.tgz`, ...(integrity && { integrity }) };
      return [version, { ...manifest, dist }];
    });
    const document = {
      name,
      'dist-tags': { latest: versions.at(-1)?.[0] },
      versions: Object.fromEntries(versions),
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  }

  private send(archive: Buffer, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    if (this.treatment === 'silence') response.flushHeaders();
    else response.end(this.treatment === 'honest' ? archive : Buffer.concat([archive, Buffer.from('x')]));
  }
}

function integrityOf(archive: Buffer): string {
  return `sha512-${createHash('sha512').update(archive).digest('base64')}`;
}

async function archiveOf(files: Record<string, string>): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'awp-archive-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, 'package', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    await promisify(execFile)('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
    return await readFile(join(folder, 'package.tgz'));
  } finally {
    await rm(folder, { recursive: true });
  }
}
