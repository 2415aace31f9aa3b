import { Injectable } from '@nestjs/common';
import { Chores } from '../../chores/chores.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/** Removes answers past their 24 hours. */
@Injectable()
export class IdempotencyChore {
  constructor(chores: Chores, answers: IdempotencyRepository) {
    chores.add({ name: 'idempotency keys past their day', everySeconds: 600, run: () => answers.sweep() });
  }
}
