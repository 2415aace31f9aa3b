import { MulterError } from 'multer';
import { type Problem, ValidationFailed } from '../../../platform/http/problem/problem.js';
import { FileTooLarge } from '../attachments.errors.js';

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
