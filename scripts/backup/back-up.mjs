import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { EXIT_CONFIG, StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { withClient } from '../keys/database.mjs';
import { refuseTablesOfLater } from '../keys/known-migrations.mjs';
import { AttachmentCopy } from './attachment-copy.mjs';
import { dumpDatabase } from './dump.mjs';
import { copyKeyRing } from './key-ring-copy.mjs';
import { writeManifest } from './manifest.mjs';
import { BACKUP, recordingEnd } from './recorded-ends.mjs';

/** Makes one backup, and records how it ended. */
export function backUp(settings, folders) {
  return recordingEnd(settings, BACKUP, async () => report(await makeBackup(settings, folders)));
}

/** Until the backup is complete, its folder has another name. Works on the schema of any version before this one too. */
export async function makeBackup(settings, { folder, ringFolder }) {
  const place = placeOf(settings, folder, ringFolder);
  const draft = `${place.final}.unfinished`;
  await makeFolder(draft);
  try {
    const content = await withClient(settings, (client) => copyContent(settings, client, draft));
    await writeManifest(draft, content);
    const ring = await copyKeyRing(settings, content.database.keys, place.ring);
    await refuseExisting(place.final);
    await rename(draft, place.final);
    return { final: place.final, content, ring };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** A name without characters that a shell or a file system treats specially, sorted by date. */
function nameOf(date) {
  return date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
}

function placeOf({ dataDir }, folder, ringFolder) {
  const name = nameOf(new Date());
  const [data, ring] = [resolve(folder), ringFolder === null ? null : resolve(ringFolder)];
  if (isWithin(dataDir, data))
    throw new StartError(
      `The folder ${data} lies in DATA_DIR (${dataDir})`,
      'name a folder outside of it, best on another disk',
      EXIT_CONFIG,
    );
  if (ring !== null && (isWithin(data, ring) || isWithin(ring, data)))
    throw new StartError(
      `The folder of the key ring, ${ring}, is not apart from the backup in ${data}`,
      'name another folder with --ring: both together open every credential',
      EXIT_CONFIG,
    );
  return { final: join(data, name), ring: ring && join(ring, name) };
}

const isWithin = (folder, path) => !relative(folder, path).startsWith('..');

async function makeFolder(folder) {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(
      `${folder} cannot be created (${error.code})`,
      'name a folder that you can write',
      EXIT_CONFIG,
    );
  }
}

async function refuseExisting(folder) {
  if (!(await stat(folder).catch(() => null))) return; // Missing is what is wanted; rename reports anything else.
  throw new Error(`${folder} exists already. Run the backup again.`);
}

async function copyContent(settings, client, draft) {
  if (!client || !(await hasTables(client)))
    throw new StartError(
      `There is no data to back up in ${settings.databaseUrl ? 'the database of DATABASE_URL' : `DATA_DIR (${settings.dataDir})`}`,
      'run the backup with the settings of the service',
      EXIT_CONFIG,
    );
  await refuseTablesOfLater(client);
  const attachments = settings.s3
    ? null
    : new AttachmentCopy(join(settings.dataDir, 'attachments'), join(draft, 'attachments'));
  await attachments?.copyAll();
  const dumped = await dumpWithAttachments(client, draft, attachments);
  return { ...dumped, archive: await copyArchive(settings, draft), s3: settings.s3 };
}

/** Copied after the snapshot: a month that is no longer in it was complete in the archive before. */
async function copyArchive({ s3, dataDir }, draft) {
  const archive = new AttachmentCopy(join(dataDir, 'archive'), join(draft, 'archive'));
  if (!s3) await archive.copyAll();
  return archive.copied;
}

async function hasTables(client) {
  return (await client.query("SELECT to_regclass('public.migrations') AS found")).rows[0].found !== null;
}

/**
 * A file may be deleted between the snapshot and its copy. Then another snapshot no longer has its row. A file that is
 * missing for the same row twice was lost before: the backup goes on without it and reports it.
 */
async function dumpWithAttachments(client, draft, attachments) {
  let lost = [];
  for (;;) {
    const { attachmentIds, ...database } = await dumpDatabase(client, join(draft, 'database'));
    const missing = (await attachments?.complete(attachmentIds)) ?? [];
    if (missing.every((id) => lost.includes(id)))
      return { database, attachments: attachments?.copied ?? null, lost: missing };
    lost = missing;
    await rm(join(draft, 'database'), { recursive: true });
  }
}

function report({ final, content: { database, attachments, archive, lost, s3 }, ring }) {
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`Backed up ${rows} rows of ${database.tables.length} tables to ${final}.`);
  if (attachments) console.log(`Copied ${attachments.size} attachments.`);
  if (archive.size > 0) console.log(`Copied ${archive.size} files of the archive.`);
  if (!attachments) console.log(`The attachments stay in the bucket ${s3.bucket}: protect it by versioning.`);
  for (const id of lost) console.error(`Warning: the attachment ${id} has no file in DATA_DIR/attachments.`);
  console.log(ring);
}
