import { S3Client } from '@aws-sdk/client-s3';
import type { Settings } from '../../../platform/config/settings.js';

const CONNECT_MS = 2_000;
/** From the last byte sent to the first byte of the response. */
const RESPONSE_MS = 20_000;
const ATTEMPTS = 3;
/** A slow reader holds a connection: with the default of 50 a few dozen of them would block all others. */
const CONNECTIONS = 500;

/**
 * Creates the client of an S3-compatible store (settings S3_*). Optional checksums stay off, since stores that only
 * resemble Amazon's reject them.
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
      requestTimeout: RESPONSE_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  });
}
