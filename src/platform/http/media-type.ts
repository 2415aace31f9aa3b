import { MIMEType } from 'node:util';

/**
 * Why a body with these headers is not read (415, spec §1), as a sentence, or null: only `application/json`
 * in UTF-8, uncompressed. A compressed body could be a thousand times as large as it looks.
 */
export function jsonMediaFault(
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
    return null;
  }
}
