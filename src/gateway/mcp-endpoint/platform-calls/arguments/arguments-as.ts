import { validationPipe } from '../../../../platform/http/validation.pipe.js';
import { ValidationFailed } from '../../../../platform/http/problem.js';

const pipe = validationPipe();

/**
 * Arguments of a platform tool as the body of the HTTP route would be: the same class, the same rules.
 * @throws {ValidationFailed} with a row a fault
 */
export async function argumentsAs<T>(type: new () => T, given: unknown): Promise<T> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ValidationFailed([{ path: 'arguments', message: 'must be a JSON object' }]);
  return (await pipe.transform(given, { type: 'body', metatype: type })) as T;
}
