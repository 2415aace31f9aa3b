import { resolve } from 'node:path';
import { loadDatabase } from './load-database.mjs';
import { prepareKeyRing } from './key-ring.mjs';
import { migrationFiles } from './known-migrations.mjs';
import { fillDataFolder, refuseUnlessFolderIsEmpty } from './target-folder.mjs';
import { refuseUnlessDatabaseIsEmpty, withTargetDatabase } from './target-database.mjs';
import { verifiedManifest } from './verified-manifest.mjs';

/** Restores a backup. Everything that can be checked is checked before anything is written. */
export async function restore(settings, { backup, ringFile }) {
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
  report(settings, manifest);
}

function report({ dataDir, databaseUrl }, { createdAt, tables, attachments, version }) {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const place = databaseUrl ? `the database of DATABASE_URL and ${dataDir}` : dataDir;
  console.log(`Restored the backup of ${createdAt}, made by version ${version}, into ${place}.`);
  console.log(`${rows} rows of ${tables.length} tables; ${attachmentsOf(attachments)}.`);
  console.log('Run `npm run doctor`, then start the service.');
}

function attachmentsOf({ store, files, bucket }) {
  return store === 's3' ? `the attachments are in the bucket ${bucket}` : `${files} attachments`;
}
