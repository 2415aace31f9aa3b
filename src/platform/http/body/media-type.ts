import { MIMEType } from 'node:util';

/**
 * Returns a sentence why a body with these headers is not accepted (415, contract §1), or null. Only uncompressed
 * `application/json` in UTF-8 is accepted: a compressed body could be a thousand times as large as it looks.
 */
export function jsonMediaTypeError(
  contentType: string | undefined,
  contentEncoding: string | undefined,
): string | null {
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity')
    return 'Send the body uncompressed, without Content-Encoding.';
  if (!isJsonInUtf8(contentType)) return 'Send the body as Content-Type: application/json in UTF-8.';
  return null;
}

function isJsonInUtf8(contentType: string | undefined): boolean {
  const type = parse(contentType);
  const charset = type?.params.get('charset') ?? 'utf-8';
  return type?.essence === 'application/json' && /^utf-?8$/i.test(charset);
}

function parse(contentType: string | undefined): MIMEType | null {
  try {
    return new MIMEType(contentType ?? '');
  } catch {
    // A malformed type is not JSON, which the caller rejects.
    return null;
  }
}
