import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../../../platform/auth/principal.js';
import { AttachmentBytesMissing } from '../attachments.errors.js';
import type { SeenAttachment } from '../attachments.repository.js';
import { AttachmentsService } from '../attachments.service.js';
import { ATTACHMENT_STORE, type AttachmentStore, type ByteRange } from '../store/attachment-store.js';
import { byteRangeOf } from './byte-range.js';
import { downloadHeaders } from './download-headers.js';

/** Sends a file as fast as the reader takes it. A slow reader holds one open file and one buffer. */
@Injectable()
export class AttachmentDownloadService {
  private readonly log = new Logger(AttachmentDownloadService.name);

  constructor(
    @Inject(ATTACHMENT_STORE) private readonly store: AttachmentStore,
    private readonly attachments: AttachmentsService,
  ) {}

  async send(caller: Principal, attachmentId: string, request: Request, response: Response): Promise<void> {
    const attachment = await this.attachments.get(caller, attachmentId);
    const size = Number(attachment.size);
    const etag = `"${attachment.sha256}"`;
    response.setHeader('ETag', etag);
    if (request.fresh) return void response.status(304).end();
    const range = byteRangeOf(request.headers, size, etag);
    const { start, end } = range ?? { start: 0, end: size - 1 };
    const isEmpty = size === 0 || request.method === 'HEAD';
    const bytes = isEmpty ? null : await this.open(caller, attachment, { start, end });
    setHeaders(response, attachment, range);
    if (bytes) await pour(exactly(bytes, end - start + 1), response);
    else response.end();
  }

  /** Returns a range of the bytes in one piece. It is for small ranges, since it holds them in memory. */
  async bytes(caller: Principal, attachment: SeenAttachment, range: ByteRange): Promise<Buffer> {
    const stream = await this.open(caller, attachment, range);
    const chunks: Buffer[] = [];
    for await (const chunk of exactly(stream, range.end - range.start + 1)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** When the bytes are missing because the attachment has just been deleted, it is not found. */
  private async open(caller: Principal, attachment: SeenAttachment, range: ByteRange): Promise<Readable> {
    try {
      return await this.store.read(attachment.id, range);
    } catch (error) {
      await this.attachments.get(caller, attachment.id);
      if (!isMissing(error)) throw error;
      this.log.error(`The store has no bytes of the attachment ${attachment.id}.`);
      throw new AttachmentBytesMissing();
    }
  }
}

/** Whether a store has no such bytes: a folder says ENOENT, an object store NoSuchKey. */
const isMissing = (error: unknown) => {
  const { code, name } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || name === 'NoSuchKey';
};

/** Sets raw headers: Express would add a charset to the type of a text. */
function setHeaders(response: Response, attachment: SeenAttachment, range: ByteRange | null): void {
  const size = Number(attachment.size);
  for (const [name, value] of Object.entries(downloadHeaders(attachment))) response.setHeader(name, value);
  response.setHeader('Content-Length', range ? range.end - range.start + 1 : size);
  if (!range) return;
  response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
}

/** Fails at the end when the number of bytes is not the announced one: a short response must not pass for a whole one. */
async function* exactly(bytes: Readable, length: number): AsyncGenerator<Buffer> {
  let left = length;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    left -= chunk.length;
    yield chunk;
  }
  if (left !== 0) throw new Error(`The store has ${left} bytes fewer of an attachment than its row records.`);
}

/** Sends the bytes. A reader that closes the connection is not an error. */
async function pour(bytes: AsyncIterable<Buffer>, response: Response): Promise<void> {
  try {
    await pipeline(bytes, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
