import { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../../../platform/config/s3.js';

const CONNECT_MS = 2_000;
/** From the last byte sent to the first byte of the response. */
const RESPONSE_MS = 20_000;
const ATTEMPTS = 3;
/** A slow reader holds a connection: with the default of 50 a few dozen of them would block all others. */
const CONNECTIONS = 500;

/** An old time: the SDK asks for the key of each request, because the files of the key may change. */
const EXPIRED = new Date(0);

/**
 * Creates the client of an S3-compatible store (settings S3_*). Optional checksums stay off, since stores that only
 * resemble Amazon's reject them. A request whose key the store refuses is sent once more where the files of the key have
 * another one by now (contract §9).
 */
export function s3ClientOf(s3: S3Settings): S3Client {
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: s3.region,
    forcePathStyle: s3.forcePathStyle,
    credentials: async () => ({
      accessKeyId: s3.accessKeyId,
      secretAccessKey: s3.secretAccessKey,
      expiration: EXPIRED,
    }),
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
  client.middlewareStack.add(
    (send) => async (request) => {
      try {
        return await send(request);
      } catch (error) {
        // The parts of an upload are buffers, so that they can be sent again.
        if (!isRefused(error) || !s3.renewKey()) throw error;
        return send(request);
      }
    },
    { name: 'renewKey', step: 'initialize' },
  );
  return client;
}

/** Stores name a refused key in several ways, but all with these states. */
function isRefused(error: unknown): boolean {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  return [401, 403].includes($metadata?.httpStatusCode ?? 0);
}
