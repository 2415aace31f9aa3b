import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ImportError } from '../../dist/src/mcp/catalog/server-json.js';
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
 * Fetches the archive of a package by npm, which checks its integrity and runs none of its scripts, and returns its
 * manifest, README and code.
 * @param version an exact version, or a tag such as `latest`
 */
export async function readNpm(name, version, program) {
  const folder = await mkdtemp(join(tmpdir(), 'awp-import-'));
  try {
    const found = await pack(`${name}@${version}`, folder);
    const archive = join(folder, found.filename.replaceAll('/', '-').replace(/^@/, ''));
    const files = (await textOf(archive, '-tzf')).split('\n');
    const read = (pattern) => {
      const paths = files.filter((path) => pattern.test(path.slice(path.indexOf('/') + 1)));
      return paths.length === 0 ? '' : textOf(archive, '-xzOf', ...paths);
    };
    const manifest = JSON.parse(await read(/^package\.json$/));
    if (manifest.name !== name) throw new ImportError(`npm knows no ${name}@${version}.`);
    const resolved = { integrity: found.integrity, program: programPath(name, manifest.bin, program) };
    const readme = await read(/^readme(\.(md|markdown|txt))?$/i);
    // More than fits is of bundled libraries, and not worth the search.
    const code = await Promise.resolve(read(/^(?!.*node_modules\/).*\.[cm]?js$/)).catch(() => '');
    return { manifest, texts: { readme, code }, resolved };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function pack(spec, folder) {
  const [found] = await npm(spec, ['pack', spec, '--pack-destination', folder, '--ignore-scripts']);
  if (!/^sha512-/.test(found?.integrity ?? ''))
    throw new ImportError(`${spec} has no SHA-512 integrity in its registry.`);
  return found;
}

async function textOf(archive, ...args) {
  const { stdout } = await promisify(execFile)('tar', [args[0], archive, ...args.slice(1)], {
    maxBuffer: MOST_TEXT_BYTES,
  });
  return stdout;
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

/** Returns the path of the program inside the package: its only one, or the one that is named like the package. */
function programPath(identifier, bin, wanted) {
  const programs = typeof bin === 'string' ? { [identifier.split('/').at(-1)]: bin } : (bin ?? {});
  const names = Object.keys(programs);
  const name = wanted ?? (names.length === 1 ? names[0] : identifier.split('/').at(-1));
  if (!Object.hasOwn(programs, name))
    throw new ImportError(
      names.length === 0
        ? `${identifier} has no program to start.`
        : `${identifier} has several programs: choose one with --program (${names.join(', ')}).`,
    );
  const path = programs[name].replace(/^(\.\/)+/, '');
  if (path.startsWith('/') || path.split('/').includes('..'))
    throw new ImportError(`The program ${name} of ${identifier} lies outside of the package.`);
  return path.replaceAll('{', '{{');
}
