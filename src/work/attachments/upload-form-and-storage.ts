import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { Problem, ValidationFailed } from '../../platform/http/problem.js';
import { attachmentNameOf, BEGINNING_BYTES, isInlineImage } from './attachment.entity.js';
import type { AttachmentStore } from './attachment-store.js';
import type { RunningUploadsService } from './leftovers-and-running-uploads.worker.js';

/** Observes a stream of bytes: their number, their SHA-256 and their beginning. */
export class ByteCounter {
  size = 0;
  private readonly hash = createHash('sha256');
  private readonly first: Buffer[] = [];

  /** @param hold is called with the length of each chunk before it is passed on; its error ends the stream */
  async *watch(bytes: AsyncIterable<Buffer>, hold: (bytes: number) => void): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      hold(chunk.length);
      if (this.size < BEGINNING_BYTES)
        this.first.push(Buffer.from(chunk.subarray(0, BEGINNING_BYTES - this.size)));
      this.size += chunk.length;
      this.hash.update(chunk);
      yield chunk;
    }
  }

  get beginning(): Buffer {
    return Buffer.concat(this.first);
  }

  /** Returns the SHA-256 in hex. Call it once, after all bytes have passed. */
  sha256(): string {
    return this.hash.digest('hex');
  }
}

/** A file as a client sends it. */
export interface SentFile {
  filename: string;
  contentType: string;
  bytes: AsyncIterable<Buffer>;
}

/** A file whose bytes are in the store under `id`, before it has a row. */
export interface ReceivedFile {
  id: string;
  filename: string;
  contentType: string;
  isRasterImage: boolean;
  /** In bytes. */
  size: number;
  /** In hex. */
  sha256: string;
}

const CONTENT_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;

/** Takes the bytes of one upload, also as the storage engine of multer. It passes them on to the store and keeps none. */
export class UploadStorage implements StorageEngine {
  received: ReceivedFile | null = null;
  /** An error of the service. A form that ends early is the client's error and is not stored here. */
  error: unknown = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly id: string,
    private readonly store: AttachmentStore,
    private readonly uploads: RunningUploadsService,
    private readonly hold: (bytes: number) => void,
  ) {}

  _handleFile(_: Request, file: Express.Multer.File, done: (error?: unknown) => void): void {
    this.writing = this.take(file, done);
  }

  /** multer calls it on some paths only. The caller that began the upload removes its bytes on all paths. */
  _removeFile(_: Request, __: Express.Multer.File, done: (error: Error | null) => void): void {
    done(null);
  }

  /** Resolves when writing has stopped; multer reports a broken request before that. */
  async settled(): Promise<void> {
    await this.writing;
  }

  /** Stores the bytes of a file. */
  async write({ filename, contentType: named, bytes }: SentFile): Promise<ReceivedFile> {
    await this.uploads.begin(this.id);
    const witness = new ByteCounter();
    await this.store.write(this.id, witness.watch(bytes, this.hold));
    const contentType = CONTENT_TYPE.test(named) ? named : 'application/octet-stream';
    return {
      id: this.id,
      filename: attachmentNameOf(filename),
      contentType,
      isRasterImage: await isInlineImage(contentType, witness.beginning),
      size: witness.size,
      sha256: witness.sha256(),
    };
  }

  private async take(file: Express.Multer.File, done: (error?: unknown) => void): Promise<void> {
    try {
      const { originalname: filename, mimetype: contentType, stream: bytes } = file;
      this.received = await this.write({ filename, contentType, bytes });
    } catch (error) {
      if (error !== file.stream.errored) this.error = error;
      return done(error);
    }
    done();
  }
}

/**
 * Returns the problem for a form that multer or its parser rejected.
 * @param limit of the file in bytes
 */
export function formError(error: unknown, limit: number): Problem {
  if (!(error instanceof MulterError))
    return refusal('', 'the form is incomplete or is not well-formed multipart/form-data');
  if (error.code === 'LIMIT_FILE_SIZE') return new FileTooLarge(limit);
  if (error.code === 'LIMIT_FILE_COUNT') return refusal('file', 'only one file may be sent at a time');
  if (error.code !== 'LIMIT_UNEXPECTED_FILE')
    return refusal(error.field ?? '', 'the form contains more than the field `file`');
  if (error.field === 'file') return refusal('file', 'only one file may be sent at a time');
  return refusal(error.field ?? '', 'is not a known field: send the file in the field `file`');
}

function refusal(path: string, message: string): Problem {
  return new ValidationFailed([{ path, message }]);
}

/**
 * Accepts an uncompressed form only: neither JSON that names a file, nor a compressed body, which could expand a
 * thousandfold.
 * @throws {NotMultipart}
 */
export function requireMultipart(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const isForm = /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');
  if (!isForm || encoding !== 'identity') throw new NotMultipart();
}

/** Documents the form of an upload. */
export const TakesOneFile = () =>
  applyDecorators(
    ApiConsumes('multipart/form-data'),
    ApiBody({
      required: true,
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', format: 'binary', example: 'the bytes of the file' } },
      },
    }),
  );

/** One text field is accepted by the parser, so that the error can name it. */
const LIMITS = { files: 1, fields: 1, parts: 3, headerPairs: 20, fieldNameSize: 100, fieldSize: 1_024 };

/**
 * Reads a form with one file in the field `file`, and streams its bytes to `storage`. A form that is rejected is read to
 * its end first, at most until the server's own deadline: a client that is cut off while it sends would not see why.
 * @param limit of the file in bytes
 */
export async function readUploadForm(
  request: Request,
  response: Response,
  storage: UploadStorage,
  limit: number,
): Promise<ReceivedFile> {
  // `preservePath`: slashes in a name are stripped later; the name is not a path of which only the end counts.
  const options = {
    storage,
    limits: { ...LIMITS, fileSize: limit },
    preservePath: true,
    defParamCharset: 'utf8',
  };
  const read = multer(options).single('file');
  try {
    await new Promise<void>((resolve, reject) =>
      read(request, response, (error) => (error ? reject(error as Error) : resolve())),
    );
  } catch (error) {
    await storage.settled();
    throw storage.error ?? formError(error, limit);
  }
  refuseFields(Object.keys((request.body ?? {}) as object));
  if (!storage.received)
    throw new ValidationFailed([{ path: 'file', message: 'is required: one file with a name' }]);
  return storage.received;
}

function refuseFields(names: string[]): void {
  if (names.length === 0) return;
  throw new ValidationFailed(
    names.map((path) => ({
      path,
      message:
        path === 'file'
          ? 'must be a file, with a file name'
          : 'is not a known field: send the field `file` alone',
    })),
  );
}

/** 415: an upload must be a form. */
class NotMultipart extends Problem {
  constructor() {
    super(
      'unsupported_media_type',
      'Send the file as multipart/form-data, uncompressed, in the field `file`.',
    );
  }
}

export class FileTooLarge extends Problem {
  /** @param limit in bytes */
  constructor(limit: number) {
    super('payload_too_large', `A file may have at most ${limit} bytes.`);
  }
}
