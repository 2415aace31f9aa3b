import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../../../platform/auth/principal.js';
import type { SeenAttachment } from '../attachments.repository.js';
import { AttachmentsService } from '../attachments.service.js';
import { ATTACHMENT_STORE, type AttachmentStore, type ByteRange } from '../store/attachment-store.js';
import { byteRangeOf } from './byte-range.js';
import { downloadHeaders } from './download-headers.js';

/** Gives out a file as fast as the reader takes it; a slow reader holds one open file and one buffer. */
@Injectable()
export class AttachmentDownload {
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
    tell(response, attachment, range);
    if (bytes) await pour(exactly(bytes, end - start + 1), response);
    else response.end();
  }

  /** Bytes that are not there belong to an attachment deleted this moment: then that is the answer. */
  private async open(caller: Principal, attachment: SeenAttachment, range: ByteRange): Promise<Readable> {
    try {
      return await this.store.read(attachment.id, range);
    } catch (fault) {
      await this.attachments.get(caller, attachment.id);
      throw fault;
    }
  }
}

/** Raw headers: Express would add a charset to a text's type. */
function tell(response: Response, attachment: SeenAttachment, range: ByteRange | null): void {
  const size = Number(attachment.size);
  for (const [name, value] of Object.entries(downloadHeaders(attachment))) response.setHeader(name, value);
  response.setHeader('Content-Length', range ? range.end - range.start + 1 : size);
  if (!range) return;
  response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
}

/** Fails in the end where there are not as many bytes as were told: the answer must not pass for a whole one. */
async function* exactly(bytes: Readable, length: number): AsyncGenerator<Buffer> {
  let left = length;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    left -= chunk.length;
    yield chunk;
  }
  if (left !== 0) throw new Error(`The store has ${left} bytes fewer of an attachment than its row says.`);
}

/** A reader that goes away is no fault. */
async function pour(bytes: AsyncIterable<Buffer>, response: Response): Promise<void> {
  try {
    await pipeline(bytes, response);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw fault;
  }
}
