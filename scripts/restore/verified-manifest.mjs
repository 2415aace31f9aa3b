import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT_CONFIG, StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { hashOf } from '../backup/hashed-files.mjs';
import { FORMAT, MANIFEST, sha256, SUMS } from '../backup/manifest.mjs';

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
