import { expect } from '@jest/globals';

/**
 * Returns the expected form of an error response, for `toMatchObject`: status, code and, when given, exactly the paths
 * that its `errors` name.
 */
export function refused(status: number, code: string, ...paths: string[]) {
  const errors = paths.map((path) => ({ path, message: expect.stringMatching(/\S/) }));
  return { status, body: { status, code, ...(paths.length > 0 && { errors }) } };
}

/** The 404 response, which is the same for unknown, malformed and invisible ids. */
export const notFound = refused(404, 'not_found');
