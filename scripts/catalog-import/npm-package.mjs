import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { valid } from 'semver';
import { programPath } from '../../dist/src/mcp/catalog/entry-of-package.js';
import { ImportError } from '../../dist/src/mcp/catalog/server-json-and-import-source.js';
import { readNpmArchive } from '../../dist/src/mcp/packages/npm-package-reader.js';
import { fetchSha256 } from './fetch.mjs';

const PATIENCE_MS = 60_000;
const OPTIONS = ['--json', '--fetch-timeout=20000', '--no-update-notifier'];

/**
 * Asks npm, with its configuration of this host, for the integrity of an exact version and for its program.
 * @param program the name of the program where the package has several
 */
export async function resolveNpm({ identifier, version, fileSha256 }, program) {
  const {
    name,
    'dist.integrity': integrity,
    'dist.tarball': tarball,
    bin,
  } = await view(`${identifier}@${version}`);
  if (name !== identifier) throw new ImportError(`npm knows no ${identifier}@${version}.`);
  if (!/^sha512-/.test(integrity ?? ''))
    throw new ImportError(`${identifier}@${version} has no SHA-512 integrity in its registry.`);
  if (fileSha256 !== undefined) await refuseOtherArchive(tarball, fileSha256);
  return { integrity, program: programPath(identifier, bin, program) };
}

const MOST_TEXT_BYTES = 32 * 1024 * 1024;

/**
 * Fetches the archive of a package by npm, which checks its integrity and runs none of its scripts, and reads it.
 * @param version an exact version, or a tag such as `latest`
 */
export async function readNpm(name, version, program) {
  const folder = await mkdtemp(join(tmpdir(), 'awp-import-'));
  const spec = `${name}@${version}`;
  try {
    await npm(spec, ['pack', spec, '--pack-destination', folder, '--ignore-scripts']);
    const archive = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
    const { integrity, manifest, ...texts } = await readNpmArchive(join(folder, archive ?? ''));
    const isOther = valid(version) === version && manifest.version !== version;
    if (manifest.name !== name || isOther) throw new ImportError(`npm knows no ${spec}.`);
    return { manifest, texts, resolved: { integrity, program: programPath(name, manifest.bin, program) } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** npm states SHA-512 only, so the archive itself is compared with the SHA-256 of its publisher. */
async function refuseOtherArchive(tarball, expected) {
  const actual = await fetchSha256(tarball);
  if (actual !== expected)
    throw new ImportError(
      `The archive ${tarball} has the SHA-256 ${actual}, and fileSha256 names ${expected}.`,
    );
}

function view(spec) {
  return npm(spec, ['view', spec, 'name', 'dist.integrity', 'dist.tarball', 'bin']);
}

async function npm(spec, args) {
  try {
    const { stdout } = await promisify(execFile)('npm', [...args, ...OPTIONS], {
      timeout: PATIENCE_MS,
      maxBuffer: MOST_TEXT_BYTES,
    });
    return JSON.parse(stdout || '{}');
  } catch (error) {
    const code = /E\d{3}|E[A-Z]+/.exec(`${error.stdout}${error.stderr}`)?.[0] ?? error.code ?? 'no response';
    throw new ImportError(`npm does not know ${spec} (${code}). Check the package and npm's registry.`);
  }
}
