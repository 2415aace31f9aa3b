import { randomUUID } from 'node:crypto';
import { nameOf, ok, problem } from './verdict.mjs';

const FIXES = {
  NoSuchBucket: 'create the bucket, or set S3_BUCKET to an existing one',
  InvalidAccessKeyId: 'set S3_ACCESS_KEY_ID to a key of this store',
  SignatureDoesNotMatch: 'set S3_SECRET_ACCESS_KEY to the secret of S3_ACCESS_KEY_ID',
  AccessDenied: 'allow this key to put, get and delete objects, and to list and abort uploads, in the bucket',
  PermanentRedirect: 'set S3_REGION to the region of the bucket',
  AuthorizationHeaderMalformed: 'set S3_REGION to the region of the bucket',
};

/** Writes, reads and deletes an object of its own, as the service does. */
export async function checkObjectStore({ s3, dataDir }) {
  if (!s3) return ok(`on disk, in ${dataDir}`);
  const place = `${s3.bucket} at ${new URL(s3.endpoint).host}`;
  const { s3ClientOf } = await import('../../dist/src/work/attachments/s3-store.js');
  const client = s3ClientOf(s3);
  try {
    await passThrough(client, { Bucket: s3.bucket, Key: `attachments/doctor-${randomUUID()}` });
    return ok(place);
  } catch (error) {
    const name = nameOf(error);
    const fix =
      FIXES[name] ?? 'check S3_ENDPOINT, S3_REGION and S3_FORCE_PATH_STYLE, and that the store is running';
    return problem(`${place} does not work (${name})`, fix);
  } finally {
    client.destroy();
  }
}

async function passThrough(client, object) {
  const { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } = await import('@aws-sdk/client-s3');
  await client.send(new PutObjectCommand({ ...object, Body: 'npm run doctor' }));
  const { Body } = await client.send(new GetObjectCommand(object));
  const text = await Body.transformToString();
  await client.send(new DeleteObjectCommand(object));
  if (text !== 'npm run doctor')
    throw Object.assign(new Error(), { code: 'the bytes read differ from those written' });
}
