import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { PackageUnavailable } from './package-request.js';

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
