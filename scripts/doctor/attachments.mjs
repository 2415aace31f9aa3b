import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { askMigrated } from './asked-database.mjs';
import { nameOf, ok, problem } from './verdict.mjs';

const REGION = 'set S3_REGION to the region of the bucket';
const OTHER = 'check S3_ENDPOINT, S3_REGION and S3_FORCE_PATH_STYLE, and that the store is running';
const FIXES = {
  NoSuchBucket: 'create the bucket, or set S3_BUCKET to an existing one',
  InvalidAccessKeyId: 'set S3_ACCESS_KEY_ID to a key of this store',
  SignatureDoesNotMatch: 'set S3_SECRET_ACCESS_KEY to the secret of S3_ACCESS_KEY_ID',
  AccessDenied: 'allow this key to put, get and delete objects, and to list and abort uploads, in the bucket',
  PermanentRedirect: REGION,
  AuthorizationHeaderMalformed: REGION,
  RequestTimeTooSkewed: 'synchronise the clock of this host, for instance with chrony',
  ECONNREFUSED: 'start the store, or set S3_ENDPOINT to its address',
  EPROTO: 'set S3_ENDPOINT to http:// where the store speaks no TLS',
};
/** The certificate of the store is of an authority that this host does not know. */
const UNTRUSTED = /^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/;
const AUTHORITY =
  'name the certificate of its authority with NODE_EXTRA_CA_CERTS in the environment of the service';
/** How many attachments, the newest ones, are looked for. */
const SAMPLE = 20;

/** Checks that the store takes what the service does, and that the bytes of attachments are in it. */
export async function checkAttachments(settings) {
  const { s3, dataDir } = settings;
  if (!s3) return refuseMissing(settings, onDisk(dataDir), ok(`on disk, in ${dataDir}`));
  const { s3ClientOf } = await import('../../dist/src/work/attachments/s3-store.js');
  const client = s3ClientOf(s3);
  try {
    const place = `${s3.bucket} at ${new URL(s3.endpoint).host}`;
    const refusal = await refusalOf(client, s3, place);
    return refusal ?? (await refuseMissing(settings, await inBucket(client, s3.bucket), ok(place)));
  } finally {
    client.destroy();
  }
}

/** Writes, reads and deletes an object of its own, as the service does. Returns null when the store takes it. */
async function refusalOf(client, s3, place) {
  try {
    await passThrough(client, { Bucket: s3.bucket, Key: `attachments/doctor-${randomUUID()}` });
    return null;
  } catch (error) {
    const name = nameOf(error);
    return problem(`${place} does not work (${name})`, fixOf(name, s3));
  }
}

function fixOf(name, s3) {
  if (name === 'ENOTFOUND' || name === 'EAI_AGAIN') return hostFix(s3);
  return UNTRUSTED.test(name) ? AUTHORITY : (FIXES[name] ?? OTHER);
}

/** With the bucket in the host name, the store needs a name service that knows every bucket. */
function hostFix({ forcePathStyle }) {
  return forcePathStyle
    ? 'correct the host in S3_ENDPOINT, or check the name service of this host'
    : 'set S3_FORCE_PATH_STYLE=true where the store has no host name per bucket, or correct the host in S3_ENDPOINT';
}

async function passThrough(client, object) {
  const { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } = await import('@aws-sdk/client-s3');
  await client.send(new PutObjectCommand({ ...object, Body: 'npm run doctor' }));
  const { Body } = await client.send(new GetObjectCommand(object));
  const text = await Body.transformToString();
  await listUploads(client, object);
  await client.send(new DeleteObjectCommand(object));
  if (text !== 'npm run doctor')
    throw Object.assign(new Error(), { code: 'the bytes read differ from those written' });
}

/** A store that cannot list them is used without, see `S3AttachmentStore`. */
async function listUploads(client, { Bucket, Key }) {
  const { ListMultipartUploadsCommand } = await import('@aws-sdk/client-s3');
  try {
    await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }));
  } catch (error) {
    if (nameOf(error) !== 'NotImplemented') throw error;
  }
}

const onDisk = (dataDir) => async (id) => {
  try {
    await stat(join(dataDir, 'attachments', id));
    return true;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
};

async function inBucket(client, bucket) {
  const { HeadObjectCommand } = await import('@aws-sdk/client-s3');
  return async (id) => {
    try {
      await client.send(new HeadObjectCommand({ Bucket: bucket, Key: `attachments/${id}` }));
      return true;
    } catch (error) {
      if (error.$metadata?.httpStatusCode === 404) return false;
      throw error;
    }
  };
}

/** They are missing where DATA_DIR or the store was changed without its files, and where a copy was not complete. */
async function refuseMissing(settings, isThere, verdict) {
  const ids = await newestOf(settings);
  const missing = [];
  for (const id of ids) if (!(await isThere(id))) missing.push(id);
  if (missing.length === 0) return verdict;
  return problem(
    `${verdict.says}: of the newest ${ids.length} attachments ${missing.length} have no bytes there, such as ${missing[0]}`,
    'copy the files of the former place there, or set DATA_DIR and ATTACHMENT_STORE back; docs/operations.md, "Attachments in an object store"',
  );
}

/** Returns none where there is no database to ask: its own check says why. */
async function newestOf(settings) {
  try {
    return (await askMigrated(settings, readNewest)) ?? [];
  } catch {
    return [];
  }
}

async function readNewest(client) {
  const { rows } = await client.query('SELECT id::text FROM attachments ORDER BY created_at DESC LIMIT $1', [
    SAMPLE,
  ]);
  return rows.map(({ id }) => id);
}
