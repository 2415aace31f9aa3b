import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT_CONFIG } from '../../dist/src/platform/exit/exit-codes.js';
import { StartError } from '../../dist/src/platform/start/start-error.js';
import { inRoot } from '../paths.mjs';
import { hashOf } from './hashed-files.mjs';

const FORMAT = 1;
const SUMS = 'SHA256SUMS';
const MANIFEST = 'manifest.json';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/**
 * Writes SHA256SUMS, which `sha256sum --check` reads, and then the manifest with the hash of that file. A backup without
 * a manifest is not complete.
 */
export async function writeManifest(folder, { database, attachments, lost, s3 }) {
  const { tables, ...facts } = database;
  const files = [
    ...tables.map((table) => [table.sha256, `database/${table.file}`]),
    ...[...(attachments ?? [])].map(([id, file]) => [file.sha256, `attachments/${id}`]),
  ];
  const sums = files.map(([hash, path]) => `${hash}  ${path}\n`).join('');
  const manifest = {
    format: FORMAT,
    createdAt: new Date().toISOString(),
    version: JSON.parse(await readFile(inRoot('package.json'), 'utf8')).version,
    ...facts,
    tables: tables.map(({ name, file, rows, columns }) => ({ name, file, rows, columns })),
    attachments: s3
      ? { store: 's3', bucket: s3.bucket }
      : { store: 'disk', files: attachments.size, missing: lost },
    sums: sha256(sums),
  };
  const options = { flag: 'wx', mode: 0o600, flush: true };
  await writeFile(join(folder, SUMS), sums, options);
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, options);
}

/**
 * Reads the manifest of a backup and checks every file against its checksum.
 * @throws {StartError} when the backup is incomplete or damaged
 */
export async function verifiedManifest(folder) {
  const manifest = await readManifest(folder);
  const sums = await readFile(join(folder, SUMS), 'utf8').catch(() => '');
  if (sha256(sums) !== manifest.sums) throw damaged(folder, SUMS);
  for (const line of sums.split('\n').filter(Boolean)) {
    const [hash, path] = line.split('  ');
    const found = await hashOf(join(folder, path)).catch(() => null); // A missing file is damage like any other.
    if (found?.sha256 !== hash) throw damaged(folder, path);
  }
  return manifest;
}

async function readManifest(folder) {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null)
    throw new StartError(
      `${folder} is not a complete backup: it has no ${MANIFEST}`,
      'name a folder with date and time that `npm run backup` reported as complete',
      EXIT_CONFIG,
    );
  const manifest = parsed(text);
  if (!manifest) throw damaged(folder, MANIFEST);
  if (manifest.format === FORMAT) return manifest;
  throw new StartError(
    `${folder} was made by version ${manifest.version}, whose format this version does not know`,
    `restore it with version ${manifest.version} or a later one`,
    EXIT_CONFIG,
  );
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function damaged(folder, path) {
  return new StartError(
    `The backup ${folder} is damaged: ${path} is missing or was changed`,
    'restore another backup, or another copy of this one',
    EXIT_CONFIG,
  );
}
