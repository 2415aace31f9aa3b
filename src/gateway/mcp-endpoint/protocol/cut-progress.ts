import { cutToBytes } from '../../../platform/http/body/cut-to-bytes.js';

/** Returns the text of a progress notification, cut to so many bytes; other values are not text. */
export function cutProgress(message: unknown, mostBytes: number): unknown {
  return typeof message === 'string' ? cutToBytes(message, mostBytes) : message;
}
