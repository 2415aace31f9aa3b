import { S3Client } from '@aws-sdk/client-s3';
import type { Settings } from '../../../platform/config/settings.js';

const CONNECT_MS = 2_000;
/** From the last byte sent to the first of the answer. */
const ANSWER_MS = 20_000;
const ATTEMPTS = 3;
/** A reader that takes its time holds a connection: with the usual 50 a few dozen would stop all others. */
const CONNECTIONS = 500;

/**
 * How the service talks to a store that speaks S3 (settings S3_*). Checksums that S3 does not ask for stay off:
 * stores that only resemble Amazon's refuse them.
 */
export function s3ClientOf(s3: NonNullable<Settings['s3']>): S3Client {
  return new S3Client({
    endpoint: s3.endpoint,
    region: s3.region,
    forcePathStyle: s3.forcePathStyle,
    credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
    maxAttempts: ATTEMPTS,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  });
}
