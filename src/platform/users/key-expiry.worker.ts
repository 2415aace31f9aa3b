import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ApiKey } from '../authentication/authentication.entities.js';
import { ApiKeyRepository, type ExpiringKey } from '../authentication/api-key.repository.js';
import { ChoresWorker } from '../chores/chores.worker.js';
import { TransactionsService } from '../database/transactions.service.js';
import { JournalService } from '../journal/journal.service.js';

const HOUR = 3_600;

/** How long before its end a key is warned of. One that was made for a shorter time is not warned of. */
const WARNED_DAYS = 14;

/**
 * Warns once of each key that ends soon (contract §2.5): in the journal, from where webhooks and the event stream take
 * it, and in the log. Without a warning a key of a pipeline dies unnoticed.
 */
@Injectable()
export class KeyExpiryWorker {
  private readonly log = new Logger(KeyExpiryWorker.name);

  constructor(
    chores: ChoresWorker,
    @InjectRepository(ApiKey) private readonly keys: ApiKeyRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {
    chores.add({ name: 'keys that end soon', everySeconds: HOUR, run: () => this.warn() });
  }

  private async warn(): Promise<number> {
    const expiring = await this.transactions.run(async () => {
      const taken = await this.keys.takeExpiring(WARNED_DAYS);
      await this.journal.record(
        ...taken.map(({ id, ...data }) => ({
          type: 'key.expiring' as const,
          subject: { type: 'key', id },
          data,
        })),
      );
      return taken;
    });
    for (const key of expiring) this.log.warn(sentenceOn(key));
    return expiring.length;
  }
}

function sentenceOn({ name, prefix, userId, agentId, expiresAt }: ExpiringKey): string {
  const owner = userId === null ? `agent ${agentId}` : `user ${userId}`;
  return `The key '${name}' (${prefix}…) of ${owner} ends on ${expiresAt.toISOString()}. Create another one and replace it before then.`;
}
