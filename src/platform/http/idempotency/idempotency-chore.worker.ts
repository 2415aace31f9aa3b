import { Injectable } from '@nestjs/common';
import { ChoresWorker } from '../../chores/chores.worker.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/** Removes stored responses after 24 hours. */
@Injectable()
export class IdempotencyChoreWorker {
  constructor(chores: ChoresWorker, responses: IdempotencyRepository) {
    chores.add({ name: 'expired idempotency keys', everySeconds: 600, run: () => responses.sweep() });
  }
}
