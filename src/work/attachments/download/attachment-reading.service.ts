import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/auth/principal.js';
import { ValidationFailed } from '../../../platform/http/problem/problem.js';
import type { SeenAttachment } from '../attachments.repository.js';
import { AttachmentDownloadService } from './attachment-download.service.js';
import { continues, textPart } from './text-part.js';

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
    const size = Number(attachment.size);
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
    const size = Number(attachment.size);
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
