import type { Request, Response } from 'express';
import multer from 'multer';
import type { ReceivedFile } from './received-file.js';
import { formError } from './form-error.js';
import type { UploadStorage } from './upload-storage.js';
import { ValidationFailed } from '../../../platform/http/problem/problem.js';

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
