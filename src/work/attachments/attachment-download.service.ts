import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { applyDecorators, Inject, Injectable, Logger } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import {
  areBytesMissing,
  ATTACHMENT_STORE,
  type AttachmentStore,
  type ByteRange,
} from './attachment-store.js';
import type { Attachment } from './attachment.entity.js';
import { AttachmentsService, type SeenAttachment } from './attachments.service.js';
import { Problem } from '../../platform/http/problem.js';

const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * Returns the range of bytes that a request asks for, or null for all bytes: without `Range`, with several ranges or an
 * invalid one, and when `If-Range` names another ETag (RFC 9110 §14.2, §13.1.5). It replaces range-parser, which Express
 * uses: that returns -1 for the last 100 bytes of a file of 10, although they are the whole file. Its fix is merged
 * (jshttp/range-parser #66) but not released; drop this file when it is.
 * @param size of the whole in bytes
 * @param etag of the bytes, strong
 * @throws {RangeNotSatisfiable}
 */
export function byteRangeOf(headers: IncomingHttpHeaders, size: number, etag: string): ByteRange | null {
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== etag) return null;
  const [, first = '', last = ''] = ONE_RANGE.exec(headers.range ?? '') ?? [];
  const range = first === '' ? suffix(last, size) : between(Number(first), last, size);
  if (range && range.start > range.end) throw new RangeNotSatisfiable(size);
  return range;
}

/** `-500`: the last 500 bytes. */
function suffix(length: string, size: number): ByteRange | null {
  return length === '' ? null : { start: Math.max(0, size - Number(length)), end: size - 1 };
}

/** `500-` and `500-999`. */
function between(start: number, last: string, size: number): ByteRange | null {
  if (last !== '' && Number(last) < start) return null;
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/**
 * Returns the headers for bytes that any caller may have uploaded (contract §5.4). The browser saves the file, or shows it
 * when `isInlineImage` found at the upload that it is a raster image. It must not guess the type, run it, let another site embed it, or cache it.
 */
export function downloadHeaders({
  filename,
  contentType,
  isRasterImage,
}: Attachment): Record<string, string> {
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

const header = (description: string) => ({ description, schema: { type: 'string' as const } });
const headers = {
  ETag: header('The SHA-256 of the whole file, for If-Range and If-None-Match.'),
  'Content-Disposition': header('The name of the file; `inline` for images only.'),
  'Accept-Ranges': header('`bytes`'),
};
const content = { '*/*': { schema: { type: 'string', format: 'binary' } } };

/** Documents the responses of a download. */
export const AnswersWithBytes = () =>
  applyDecorators(
    ApiHeader({
      name: 'Range',
      required: false,
      description: 'One range of bytes, as in `bytes=0-99`; for several ranges the whole file is returned.',
    }),
    ApiHeader({
      name: 'If-Range',
      required: false,
      description:
        'The ETag that the range is meant for; if the file has another ETag, the whole file is returned.',
    }),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of the bytes that the caller has.',
    }),
    ApiResponse({
      status: 200,
      description: 'All bytes, in the content type that the uploader named.',
      content,
      headers,
    }),
    ApiResponse({
      status: 206,
      description: 'The requested range.',
      content,
      headers: { ...headers, 'Content-Range': header('As in `bytes 0-99/1234`.') },
    }),
    ApiResponse({ status: 304, description: 'The caller has these bytes.' }),
    Refuses('range_not_satisfiable', 'attachment_bytes_missing'),
  );

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
    const { size } = attachment;
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
      if (!areBytesMissing(error)) throw error;
      this.log.error(`The store has no bytes of the attachment ${attachment.id}.`);
      throw new AttachmentBytesMissing();
    }
  }
}

/** Sets raw headers: Express would add a charset to the type of a text. */
function setHeaders(response: Response, attachment: SeenAttachment, range: ByteRange | null): void {
  for (const [name, value] of Object.entries(downloadHeaders(attachment))) response.setHeader(name, value);
  response.setHeader('Content-Length', range ? range.end - range.start + 1 : attachment.size);
  if (!range) return;
  response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${attachment.size}`);
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

/** 404: the row of an attachment is there, and its bytes are not. */
class AttachmentBytesMissing extends Problem {
  constructor() {
    super(
      'attachment_bytes_missing',
      'The service has lost the bytes of this file, or a process of it reads another store. Ask the operator of the service, or attach the file again.',
    );
  }
}

/** 416: the file has no byte of the requested range. */
export class RangeNotSatisfiable extends Problem {
  /** @param size of the whole file in bytes */
  constructor(size: number) {
    super('range_not_satisfiable', `The file has ${size} bytes; ask for a range within them.`, {
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
}
