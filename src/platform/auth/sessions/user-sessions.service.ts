import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { TransactionsService } from '../../database/transactions.service.js';
import type { Page, PageRequest } from '../../http/pages/page.js';
import { NotFound } from '../../http/problem/problem.js';
import { JournalService } from '../../journal/journal.service.js';
import type { UserPrincipal } from '../principal.js';
import { refuseAbove } from '../users/refuse-above.js';
import { UsersService } from '../users/users.service.js';
import { SessionsRepository, type SessionRow } from './sessions.repository.js';

/** Lists and ends sessions of users, the caller's own and other people's (contract §2.6). */
@Injectable()
export class UserSessionsService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  async list(userId: string, page: PageRequest): Promise<Page<SessionRow>> {
    const user = await this.users.get(userId);
    return this.sessions.listOf(user.id, page);
  }

  /** @throws {NotFound} when the user has no such session, or it has ended */
  async end(caller: UserPrincipal, userId: string, sessionId: string): Promise<void> {
    const user = await this.users.get(userId);
    if (user.id !== caller.id) refuseAbove(caller, user.role);
    if (!isUuid(sessionId)) throw new NotFound();
    await this.transactions.run(async () => {
      if (!(await this.sessions.deleteOf(user.id, sessionId))) throw new NotFound();
      await this.journal.record({
        type: 'login.ended',
        subject: { type: 'user', id: user.id },
        data: { sessionId },
      });
    });
  }
}
