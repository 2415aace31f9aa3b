import { create as contentDisposition } from 'content-disposition';
import type { AttachmentEntity } from '../attachment.entity.js';

/**
 * How bytes that anyone may have uploaded are given out (spec §5.4): as a file to save, or as an image where
 * they are one; never guessed at, never run, never shown by another site, never kept by a cache.
 */
export function downloadHeaders({
  filename,
  contentType,
  isRasterImage,
}: AttachmentEntity): Record<string, string> {
  return {
    'Content-Type': contentType,
    'Content-Disposition': contentDisposition(filename, { type: isRasterImage ? 'inline' : 'attachment' }),
    'Accept-Ranges': 'bytes',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-store',
  };
}
