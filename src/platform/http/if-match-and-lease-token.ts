import { ApiHeader } from '@nestjs/swagger';
import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Problem, ValidationFailed } from './problem.js';

/** The value of an `If-Match` header: anything that exists, or strong entity tags with their quotes. */
export type IfMatch = '*' | string[];

const TAG = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Returns the entity tag of an object at this version, as in `ETag: "7"` (contract §1). */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Reads an `If-Match` header (RFC 9110 §13.1.1). Weak tags are left out, since they never match there.
 * @throws {ValidationFailed} naming `If-Match` when it is neither `*` nor a list of entity tags
 */
export function parseIfMatch(header: string): IfMatch {
  if (header.trim() === '*') return '*';
  const tags = [...header.matchAll(TAG)];
  if (tags.length === 0 || !/^[ \t,]*$/.test(header.replace(TAG, '')))
    throw new ValidationFailed([
      { path: 'If-Match', message: 'must be * or entity tags in quotes, as an ETag header gives them' },
    ]);
  return tags.flatMap(([, weak, tag]) => (weak || !tag ? [] : [tag]));
}

/** Whether `ifMatch` names an object at this version. */
export function fitsIfMatch(ifMatch: IfMatch, version: number): boolean {
  return ifMatch === '*' || ifMatch.includes(etagOf(version));
}

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

/** Conditions of a change that come as headers. */
export interface ChangeConditions {
  ifMatch?: string | undefined;
  leaseToken?: number | null;
}

/** The headers that a change of an issue may carry: `If-Match` and, for agents, `Lease-Token`. */
export const Conditions = createParamDecorator((_: unknown, context: ExecutionContext): ChangeConditions => {
  const { headers } = context.switchToHttp().getRequest<Request>();
  return { ifMatch: headers['if-match'], leaseToken: leaseTokenOf(headers['lease-token']) };
});

/** Documents `If-Match`, and `Lease-Token` where the route takes it. */
export const TakesConditions = (withLease = false) =>
  applyDecorators(
    TakesIfMatch(),
    ...(withLease
      ? [
          ApiHeader({
            name: 'Lease-Token',
            required: false,
            description: "The token of the agent's lease on this issue.",
          }),
        ]
      : []),
  );

function leaseTokenOf(header: string | string[] | undefined): number | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header))
    throw new ValidationFailed([
      { path: 'Lease-Token', message: 'must be the integer that the pick-up returned' },
    ]);
  return Number(header);
}
