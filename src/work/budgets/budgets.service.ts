import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { validate as isUuid } from 'uuid';
import { AgentsService } from '../../agents/agents.service.js';
import type { UsagePeriod, UsageScope } from '../../agents/usage-figures.response.js';
import { actorOf, type UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { ChoresWorker } from '../../platform/chores/chores.worker.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { type Actor, JournalService, SYSTEM } from '../../platform/journal/journal.service.js';
import { GateClosingService } from '../gates/gate-closing.service.js';
import { Gate } from '../gates/gate.entity.js';
import { GateRepository } from '../gates/gate.repository.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { BudgetRow, BudgetScope, Limits } from './budget-limits-and-amounts.js';
import { Budget } from './budget.entity.js';
import { BudgetRepository } from './budget.repository.js';

/** The object of a budget, with its project where it has one. */
type Place = BudgetScope & { projectId: string | null };

/** Manages budgets (contract §7.8). */
@Injectable()
export class BudgetsService {
  constructor(
    @InjectRepository(Budget) private readonly budgets: BudgetRepository,
    @InjectRepository(Gate) private readonly gates: GateRepository,
    private readonly closing: GateClosingService,
    private readonly agents: AgentsService,
    private readonly projects: ProjectsService,
    private readonly issues: IssueAccessService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** @returns null where the object has no budget. @throws {NotFound | RoleTooLow} */
  async get(caller: UserPrincipal, scope: UsageScope, reference: string): Promise<BudgetRow | null> {
    const { id } = await this.placeOf(caller, scope, reference);
    return (await this.budgets.findPresent([id]))[0] ?? null;
  }

  /** Replaces the budget. Work that the former one stopped goes on, until the new one is used up. */
  async put(
    caller: UserPrincipal,
    scope: UsageScope,
    reference: string,
    limits: Limits,
    period: UsagePeriod,
  ): Promise<BudgetRow> {
    const place = await this.placeOf(caller, scope, reference);
    const gateId = await this.transactions.run(async () => {
      const [before] = await this.budgets.lock([place.id]);
      await this.budgets.put(place, limits, period);
      await this.record('budget.set', place, { ...limits, period });
      return before?.gateId ?? null;
    });
    await this.withdraw(gateId, actorOf(caller));
    return (await this.budgets.findPresent([place.id]))[0]!;
  }

  /** Removes the budget, if there is one. */
  async delete(caller: UserPrincipal, scope: UsageScope, reference: string): Promise<void> {
    const place = await this.placeOf(caller, scope, reference);
    const gateId = await this.transactions.run(async () => {
      const [before] = await this.budgets.lock([place.id]);
      if (!before) return null;
      await this.budgets.delete({ scopeId: place.id });
      await this.record('budget.deleted', place, {});
      return before.gateId;
    });
    await this.withdraw(gateId, actorOf(caller));
  }

  /** Withdraws the gates of periods that have ended: the new period has its whole limit. @returns how many */
  async endPeriods(): Promise<number> {
    const outdated = await this.budgets.findOutdated(100);
    for (const { scopeId, gateId } of outdated) {
      await this.withdraw(gateId, SYSTEM);
      await this.budgets.update({ scopeId, gateId }, { gateId: null, stoppedOn: null });
    }
    return outdated.length;
  }

  private async withdraw(gateId: string | null, by: Actor): Promise<void> {
    const gate = gateId && (await this.gates.read(gateId));
    if (gate && gate.state === 'open') await this.closing.close(gate, { state: 'withdrawn', by });
  }

  private async placeOf(caller: UserPrincipal, scope: UsageScope, reference: string): Promise<Place> {
    if (scope === 'agent') {
      const { id } = await this.agents.get(caller, isUuid(reference) ? reference : 'none');
      return { scope, id, projectId: null };
    }
    if (scope === 'project') {
      const { id } = await this.projects.get(caller, reference, 'Admin');
      return { scope, id, projectId: id };
    }
    const { id, projectId } = await this.issues.get(caller, reference, 'Editor');
    return { scope, id, projectId };
  }

  private async record(
    type: 'budget.set' | 'budget.deleted',
    { scope, id, projectId }: Place,
    data: Record<string, unknown>,
  ): Promise<void> {
    await this.journal.record({
      type,
      subject: { type: scope, id },
      projectId,
      issueId: scope === 'issue' ? id : null,
      data: { scope, ...data },
    });
  }
}

/** Withdraws the gates of budgets whose period has ended (contract §7.8). */
@Injectable()
export class BudgetPeriodsWorker {
  constructor(chores: ChoresWorker, budgets: BudgetsService) {
    chores.add({ name: 'ended periods of budgets', everySeconds: 60, run: () => budgets.endPeriods() });
  }
}
