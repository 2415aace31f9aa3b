import { expect } from '@jest/globals';

/**
 * What an answer that refuses looks like, for `toMatchObject`: status, code, and the paths that its `errors`
 * name, each and no other, where they are given.
 */
export function refused(status: number, code: string, ...paths: string[]) {
  const errors = paths.map((path) => ({ path, message: expect.stringMatching(/\S/) }));
  return { status, body: { status, code, ...(paths.length > 0 && { errors }) } };
}

/** 404, the same for what is unknown, malformed and out of sight. */
export const notFound = refused(404, 'not_found');
