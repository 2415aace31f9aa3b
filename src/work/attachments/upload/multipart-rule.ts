import type { IncomingHttpHeaders } from 'node:http';
import { NotMultipart } from '../attachments.errors.js';

/**
 * Accepts an uncompressed form only: neither JSON that names a file, nor a compressed body, which could expand a
 * thousandfold.
 * @throws {NotMultipart}
 */
export function requireMultipart(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const isForm = /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');
  if (!isForm || encoding !== 'identity') throw new NotMultipart();
}
