import { Problem } from '../../platform/http/problem.js';
import type { AuthorType } from './comment.entity.js';

/** 403: the body names another author type than the caller's own (contract §5.4). */
export class AuthorTypeMismatch extends Problem {
  constructor(actual: AuthorType) {
    super(
      'author_type_mismatch',
      `This comment is written as ${actual}; send authorType ${actual}, or leave it out.`,
    );
  }
}
