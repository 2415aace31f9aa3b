// A real server of the S3 protocol (s3rver) on a folder: `node s3rver-process.mjs <folder> <bucket>`, prints its port (PORT: the one it is to have).
// What s3rver lacks, the list of unfinished uploads and their end, is added from that folder where
// UNFINISHED_UPLOADS=true: without it the server is one of those that refuse both as NotImplemented.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import S3rver from 's3rver';

const [folder, bucket] = process.argv.slice(2);
const server = new S3rver({
  directory: folder,
  address: '127.0.0.1',
  port: Number(process.env.PORT),
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: bucket }],
});
if (process.env.UNFINISHED_UPLOADS === 'true') server.middleware.unshift(unfinishedUploads);
const { port } = await server.run();
console.log(port);

async function unfinishedUploads(ctx, next) {
  const uploads = join(folder, bucket, '._S3rver_uploads');
  if (ctx.method === 'GET' && 'uploads' in ctx.query) {
    const ids = existsSync(uploads) ? readdirSync(uploads) : [];
    const rows = ids
      .map((id) => [id, readFileSync(join(uploads, id, 'key'), 'utf8')])
      .filter(([, key]) => key.startsWith(ctx.query.prefix ?? ''))
      .map(([id, key]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
    ctx.type = 'application/xml';
    ctx.body = `<ListMultipartUploadsResult><Bucket>${bucket}</Bucket><IsTruncated>false</IsTruncated>${rows.join('')}</ListMultipartUploadsResult>`;
  } else if (ctx.method === 'DELETE' && ctx.query.uploadId) {
    rmSync(join(uploads, ctx.query.uploadId), { recursive: true, force: true });
    ctx.status = 204;
  } else await next();
}
