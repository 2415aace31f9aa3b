import { resolve } from 'node:path';
import { loadDatabase } from './load-database.mjs';
import { prepareKeyRing } from './key-ring.mjs';
import { migrationFiles } from '../keys/known-migrations.mjs';
import { fillDataFolder, refuseUnlessFolderIsEmpty } from './target-folder.mjs';
import { refuseUnlessDatabaseIsEmpty, withTargetDatabase } from './target-database.mjs';
import { verifiedManifest } from './verified-manifest.mjs';

/** Restores a backup for a service, and says what to do next. */
export async function restore(settings, what) {
  const { dataDir, databaseUrl, secrets } = settings;
  const manifest = await restoreFrom(settings, what);
  const place = databaseUrl ? secrets.named(`the database of DATABASE_URL and ${dataDir}`) : dataDir;
  console.log(
    `Restored the backup of ${manifest.createdAt}, made by version ${manifest.version}, into ${place}.`,
  );
  console.log(`${contentOf(manifest)}.`);
  console.log('Run `npm run doctor`, then start the service.');
}

/** Restores a backup and returns its manifest. Everything that can be checked is checked before anything is written. */
export async function restoreFrom(settings, { backup, ringFile }) {
  const source = resolve(backup);
  const manifest = await verifiedManifest(source);
  const migrations = await migrationFiles(manifest);
  const keyRing = await prepareKeyRing(settings, manifest, ringFile);
  await refuseUnlessFolderIsEmpty(settings, manifest);
  if (settings.databaseUrl) await withTargetDatabase(settings, refuseUnlessDatabaseIsEmpty);
  await fillDataFolder(settings, source, async () => {
    await keyRing.install();
    await withTargetDatabase(settings, (client, url) =>
      loadDatabase({ client, url, source, manifest, migrations, ring: keyRing.ring }),
    );
  });
  return manifest;
}

/** Returns what a backup has, such as '4321 rows of 35 tables; 12 attachments'. */
export function contentOf({ tables, attachments }) {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${tables.length} tables; ${attachmentsOf(attachments)}`;
}

function attachmentsOf({ store, files, bucket }) {
  return store === 's3' ? `the attachments are in the bucket ${bucket}` : `${files} attachments`;
}
