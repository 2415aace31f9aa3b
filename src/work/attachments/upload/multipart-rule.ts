import type { IncomingHttpHeaders } from 'node:http';
import { NotMultipart } from '../attachments.errors.js';

/**
 * Only a form, and only as it is: never JSON that names a file, and nothing compressed, which could be a
 * thousand times as large as it looks.
 * @throws NotMultipart
 */
export function requireMultipart(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const isForm = /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');
  if (!isForm || encoding !== 'identity') throw new NotMultipart();
}
