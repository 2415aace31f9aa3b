import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { CodeProvider } from './code.entity.js';

/** How a code host proves that a delivery is its own, and names it. */
export interface DeliveryProof {
  /** One of several deliveries of the same event has the same id. */
  deliveryId: string | null;
  event: string | null;
  isSignedWith: (secret: string, body: Buffer) => boolean;
}

/** The form of a signing token of GitLab; GitHub and Gitea take any text. */
const SECRET_PREFIX = 'whsec_';

/** How far the time of a signed delivery of GitLab may be from now, as Standard Webhooks recommend. */
const TOLERANCE_SECONDS = 300;

export function newSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;
}

/** Reads the documented headers of each code host; `isSignedWith` compares in constant time. */
export const proofs: Record<CodeProvider, (headers: IncomingHttpHeaders) => DeliveryProof> = {
  github: (headers) => ({
    deliveryId: textOf(headers['x-github-delivery']),
    event: textOf(headers['x-github-event']),
    isSignedWith: (secret, body) =>
      isSame(textOf(headers['x-hub-signature-256']), `sha256=${hmac(secret, body).toString('hex')}`),
  }),
  gitea: (headers) => ({
    deliveryId: textOf(headers['x-gitea-delivery']),
    event: textOf(headers['x-gitea-event']),
    isSignedWith: (secret, body) =>
      isSame(textOf(headers['x-gitea-signature']), hmac(secret, body).toString('hex')),
  }),
  // A retry has the Idempotency-Key of the first try from GitLab 17.4 on, and a new X-Gitlab-Event-UUID.
  gitlab: (headers) => ({
    deliveryId:
      textOf(headers['webhook-id']) ??
      textOf(headers['idempotency-key']) ??
      textOf(headers['x-gitlab-event-uuid']),
    event: textOf(headers['x-gitlab-event']),
    isSignedWith: (secret, body) =>
      headers['webhook-signature'] === undefined
        ? isSame(textOf(headers['x-gitlab-token']), secret)
        : isSignedByStandard(headers, secret, body),
  }),
};

/** Standard Webhooks: the HMAC of `id.timestamp.body`, in base64, one of several versions separated by spaces. */
function isSignedByStandard(headers: IncomingHttpHeaders, secret: string, body: Buffer): boolean {
  const timestamp = textOf(headers['webhook-timestamp']) ?? '';
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  const signed = Buffer.concat([Buffer.from(`${textOf(headers['webhook-id'])}.${timestamp}.`), body]);
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const expected = `v1,${hmac(key, signed).toString('base64')}`;
  const given = (textOf(headers['webhook-signature']) ?? '').split(' ').slice(0, 10);
  const fits = given.filter((one) => isSame(one, expected)).length > 0;
  return fits && age <= TOLERANCE_SECONDS;
}

function hmac(secret: string | Buffer, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}

/** Hashes make both sides equally long, so that the time of the comparison shows nothing of the expected text. */
function isSame(given: string | null, expected: string): boolean {
  const [one, other] = [given ?? '', expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!) && given !== null;
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null;
}
