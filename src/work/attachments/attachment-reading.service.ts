import { isUtf8 } from 'node:buffer';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { AttachmentDownloadService } from './attachment-download.service.js';
import type { SeenAttachment } from './attachments.service.js';

/**
 * Returns the text at the beginning of a part of a file, up to the last whole character, with the number of its bytes.
 * Returns null where the bytes are not text in UTF-8.
 * @param isEnd whether the file ends with these bytes
 */
export function textPart(bytes: Buffer, isEnd: boolean): { text: string; size: number } | null {
  const whole = isEnd ? bytes : bytes.subarray(0, endOfCharacters(bytes));
  if (whole.includes(0) || !isUtf8(whole)) return null;
  return { text: whole.toString('utf8'), size: whole.length };
}

/** Whether a byte continues a character of UTF-8. */
export const continues = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where the last character ends that is there as a whole; a character has at most 4 bytes. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const first = bytes.length - back;
    if (!continues(bytes[first])) return lengthOf(bytes[first]!) > back ? first : bytes.length;
  }
  return bytes.length;
}

/** The number of bytes of the character that begins with this one. */
function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

/** A model reads all of it at once. */
const TEXT_BYTES = 64 * 1024;

/** Its base64 has to fit into a frame with room to spare. */
const IMAGE_BYTES = 1024 * 1024;

/** Reads files for those that cannot take a stream of bytes, such as a model: texts in parts, and small images. */
@Injectable()
export class AttachmentReadingService {
  constructor(private readonly downloads: AttachmentDownloadService) {}

  /** Returns the bytes of an image that a model can be shown; null for any other file. */
  async image(caller: Principal, attachment: SeenAttachment): Promise<Buffer | null> {
    const { size } = attachment;
    if (!attachment.isRasterImage || size > IMAGE_BYTES) return null;
    return this.downloads.bytes(caller, attachment, { start: 0, end: size - 1 });
  }

  /**
   * Returns a part of a text from `offset`, in bytes, and where the next part begins.
   * @throws {ValidationFailed} for a file that is no text in UTF-8
   */
  async text(
    caller: Principal,
    attachment: SeenAttachment,
    offset: number,
  ): Promise<{ text: string; nextOffset: number | null }> {
    const { size } = attachment;
    if (offset > size) throw offsetRefused();
    const end = Math.min(offset + TEXT_BYTES, size);
    const bytes =
      end === offset
        ? Buffer.alloc(0)
        : await this.downloads.bytes(caller, attachment, { start: offset, end: end - 1 });
    if (offset > 0 && continues(bytes[0])) throw offsetRefused();
    const part = textPart(bytes, end === size);
    if (!part) throw new ValidationFailed([NO_TEXT]);
    const next = offset + part.size;
    return { text: part.text, nextOffset: next < size ? next : null };
  }
}

const NO_TEXT = {
  path: 'attachmentId',
  message:
    'names a file that is neither text in UTF-8 nor an image of at most 1 MiB: a program or a person can download it',
};

const offsetRefused = () =>
  new ValidationFailed([{ path: 'offset', message: 'must be 0, or nextOffset of the previous result' }]);
