import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../paths.mjs';

export const FORMAT = 1;
export const SUMS = 'SHA256SUMS';
export const MANIFEST = 'manifest.json';

export const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/**
 * Writes SHA256SUMS, which `sha256sum --check` reads, and then the manifest with the hash of that file. A backup without
 * a manifest is not complete.
 */
export async function writeManifest(folder, { database, attachments, archive, lost, s3 }) {
  const { tables, ...facts } = database;
  const files = [
    ...tables.map((table) => [table.sha256, `database/${table.file}`]),
    ...[...(attachments ?? [])].map(([id, file]) => [file.sha256, `attachments/${id}`]),
    ...[...archive].map(([name, file]) => [file.sha256, `archive/${name}`]),
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
