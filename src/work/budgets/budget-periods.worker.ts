import { Injectable } from '@nestjs/common';
import { ChoresWorker } from '../../platform/chores/chores.worker.js';
import { BudgetsService } from './budgets.service.js';

/** Withdraws the gates of budgets whose period has ended (contract §7.8). */
@Injectable()
export class BudgetPeriodsWorker {
  constructor(chores: ChoresWorker, budgets: BudgetsService) {
    chores.add({ name: 'ended periods of budgets', everySeconds: 60, run: () => budgets.endPeriods() });
  }
}
