import { validationPipe } from '../../../../platform/http/body/validation.pipe.js';
import { ValidationFailed } from '../../../../platform/http/problem/problem.js';

const pipe = validationPipe();

/**
 * Validates the arguments of a platform tool with the request class of the HTTP route.
 * @throws {ValidationFailed} with one row per error
 */
export async function argumentsAs<T>(type: new () => T, given: unknown): Promise<T> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ValidationFailed([{ path: 'arguments', message: 'must be a JSON object' }]);
  return (await pipe.transform(given, { type: 'body', metatype: type })) as T;
}
