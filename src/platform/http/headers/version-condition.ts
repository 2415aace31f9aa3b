import { ApiHeader } from '@nestjs/swagger';
import { Problem } from '../problem/problem.js';
import { fitsIfMatch, parseIfMatch } from './entity-tag.js';

/** 412: the object has changed since the caller read it. */
export class VersionMismatch extends Problem {
  constructor(noun: string, version: number) {
    super(
      'version_mismatch',
      `The ${noun} has changed since you read it (it is at version ${version}); read it again and decide again.`,
    );
  }
}

/**
 * @param noun what the object is called in the refusal
 * @throws {VersionMismatch} when `If-Match` names another version than the present one
 */
export function refuseStale(ifMatch: string | undefined, noun: string, version: number): void {
  if (ifMatch !== undefined && !fitsIfMatch(parseIfMatch(ifMatch), version))
    throw new VersionMismatch(noun, version);
}

/** Documents the header `If-Match` of a route. */
export const TakesIfMatch = () =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description: 'The ETag of the version that the change is meant for. Any other version is 412.',
  });
