import type { Request, Response } from 'express';
import multer from 'multer';
import type { ReceivedFile } from './received-file.js';
import { formFault } from './form-fault.js';
import type { UploadStorage } from './upload-storage.js';
import { ValidationFailed } from '../../../platform/http/problem.js';

/** One text field is let through so that its refusal can name it. */
const LIMITS = { files: 1, fields: 1, parts: 3, headerPairs: 20, fieldNameSize: 100, fieldSize: 1_024 };

/**
 * Reads a form with one file in the field `file`, whose bytes go to `storage` as they come.
 * A form that is refused is read to its end first, at most until the server's own deadline: a client that is
 * cut off in the middle of sending would never see why.
 * @param limit of the file in bytes
 */
export async function readUploadForm(
  request: Request,
  response: Response,
  storage: UploadStorage,
  limit: number,
): Promise<ReceivedFile> {
  // `preservePath`: what looks like a path is a name with slashes to strip, not a path to take the end of.
  const options = {
    storage,
    limits: { ...LIMITS, fileSize: limit },
    preservePath: true,
    defParamCharset: 'utf8',
  };
  const read = multer(options).single('file');
  try {
    await new Promise<void>((resolve, reject) =>
      read(request, response, (fault) => (fault ? reject(fault as Error) : resolve())),
    );
  } catch (fault) {
    await storage.settled();
    throw storage.fault ?? formFault(fault, limit);
  }
  refuseFields(Object.keys((request.body ?? {}) as object));
  if (!storage.received)
    throw new ValidationFailed([{ path: 'file', message: 'must be there: one file with a name' }]);
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
          : 'is not known here: send the field `file` alone',
    })),
  );
}
