import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThan, Not, Repository } from 'typeorm';
import type { UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { ChoresWorker } from '../../platform/chores/chores.worker.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { Problem } from '../../platform/http/problem.js';
import { AttentionRepository, AttentionService } from './attention.service.js';
import { AttentionSnooze } from './attention-snooze.entity.js';
import { LONGEST_BREAK_SECONDS } from './attention-pages-counts-and-snoozes-sql.js';

/** The most items that a user has snoozed at a time. */
const MOST = 1_000;

/** 409: a user has snoozed as many items as one may. */
class SnoozeLimit extends Problem {
  constructor() {
    super(
      'snooze_limit',
      `You have ${MOST} snoozed items, as many as one may have: wake some of them first.`,
    );
  }
}

/** Which of the items are now as asked, and which the caller does not see, or which are gone. */
export interface SnoozeOutcome {
  changed: string[];
  unknown: string[];
}

/** Puts items off for the user who asks, and wakes them (contract §8.7). It is the user's own, so the journal has nothing of it. */
@Injectable()
export class SnoozesService {
  constructor(
    private readonly attention: AttentionService,
    private readonly transactions: TransactionsService,
    @InjectRepository(AttentionSnooze) private readonly snoozes: Repository<AttentionSnooze>,
    found: AttentionRepository,
    chores: ChoresWorker,
  ) {
    chores.add({
      name: 'ended snoozes',
      everySeconds: LONGEST_BREAK_SECONDS,
      run: () => found.sweepSnoozes(),
    });
  }

  /**
   * @param until null wakes the items, also those whose cause is gone
   * @throws {SnoozeLimit}
   */
  async put(caller: UserPrincipal, items: string[], until: Date | null): Promise<SnoozeOutcome> {
    const ids = [...new Set(items)];
    if (until === null) {
      await this.snoozes.delete({ userId: caller.id, cause: In(ids) });
      return { changed: ids, unknown: [] };
    }
    const seen = await this.attention.seenBy(caller, ids);
    const rows = seen.map(({ key: cause, since, issues, severity }) => ({
      ...{ userId: caller.id, cause, since: new Date(since), issues, severity, until },
    }));
    await this.keep(caller.id, rows);
    const known = new Set(rows.map(({ cause }) => cause));
    return { changed: ids.filter((id) => known.has(id)), unknown: ids.filter((id) => !known.has(id)) };
  }

  private async keep(userId: string, rows: AttentionSnooze[]): Promise<void> {
    if (rows.length === 0) return;
    await this.transactions.run(async () => {
      // SQL: a row of another module. The snoozes of one user are counted one after another.
      await this.snoozes.query('SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
      const others = await this.snoozes.countBy({
        ...{ userId, until: MoreThan(new Date()), cause: Not(In(rows.map(({ cause }) => cause))) },
      });
      if (others + rows.length > MOST) throw new SnoozeLimit();
      await this.snoozes.upsert(rows, ['userId', 'cause']);
    });
  }
}
