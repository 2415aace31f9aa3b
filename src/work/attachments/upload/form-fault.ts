import { MulterError } from 'multer';
import { type Problem, ValidationFailed } from '../../../platform/http/problem.js';
import { FileTooLarge } from '../attachments.errors.js';

/**
 * The refusal of a form that multer or its parser gave up on.
 * @param limit of the file in bytes
 */
export function formFault(fault: unknown, limit: number): Problem {
  if (!(fault instanceof MulterError))
    return refusal('', 'the form is not whole or not well-formed multipart/form-data');
  if (fault.code === 'LIMIT_FILE_SIZE') return new FileTooLarge(limit);
  if (fault.code === 'LIMIT_FILE_COUNT') return refusal('file', 'only one file may be sent at a time');
  if (fault.code !== 'LIMIT_UNEXPECTED_FILE')
    return refusal(fault.field ?? '', 'the form holds more than the field `file`');
  if (fault.field === 'file') return refusal('file', 'only one file may be sent at a time');
  return refusal(fault.field ?? '', 'is not known here: send the file in the field `file`');
}

function refusal(path: string, message: string): Problem {
  return new ValidationFailed([{ path, message }]);
}
