import { create as contentDisposition } from 'content-disposition';
import type { AttachmentRow } from '../attachments.repository.js';

/**
 * Returns the headers for bytes that any caller may have uploaded (contract §5.4). The browser saves the file, or shows it
 * when `isInlineImage` found at the upload that it is a raster image. It must not guess the type, run it, let another site embed it, or cache it.
 */
export function downloadHeaders({
  filename,
  contentType,
  isRasterImage,
}: AttachmentRow): Record<string, string> {
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
