import type { IncomingHttpHeaders } from 'node:http';
import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import multer, { MulterError } from 'multer';
import { type Problem, ValidationFailed } from '../../platform/http/problem.js';
import { FileTooLarge, NotMultipart } from './attachments.errors.js';
import type { ReceivedFile, UploadStorage } from './upload-storage.js';

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
