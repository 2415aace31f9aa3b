import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Gate, GateArguments } from './gate.entity.js';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { LeasesModule } from '../leases/leases.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { CodeModule } from '../code/code.module.js';
import { ChecksGatesService } from './checks-gates.service.js';
import { GateClosingService, GateExpiryWorker } from './gate-closing.service.js';
import { GateHandlersService, GateMetricsProvider, GatesService } from './gates.service.js';
import { GateLockService, GateOpeningService } from './gate-opening.service.js';
import { GateRepository } from './gate.repository.js';
import { GatesController, GatesOfIssueController } from './gates.controller.js';
import { QuestionsService } from './questions-and-answer-rules.service.js';
import { SealedArgumentsService } from './sealed-arguments.service.js';

/**
 * Decisions and answers that only a person can give (contract §5.6), and the end of checks (contract §5.13). Other modules open gates with `GateOpeningService`,
 * register what an answer does with `GateHandlersService.whenAnswered`, and close them with `GateClosingService`:
 *
 * - A budget opens a gate of kind budget, with or without an issue, and a `onceKey` that names budget and period: the
 *   open gate of that key is returned where there is one. Its handler extends the limit, or returns `pauses` for `stop`.
 * - An approved call opens a gate of kind approval with `holds: false`, so that the lease goes on while the call waits.
 *   `hold` makes the issue wait once the wait is over. Its handler returns `keepsHolding` for an approval of a gate that
 *   holds (`isDelivered` for one that the open call returns itself), and `complete` stores the result and releases.
 */
@Module({
  imports: [
    TypeOrmModule.forFeature([Gate, GateArguments]),
    CodeModule,
    IssueStatusModule,
    LeasesModule,
    ProjectsModule,
  ],
  controllers: [GatesController, GatesOfIssueController],
  providers: [
    GateRepository,
    { provide: getRepositoryToken(Gate), useExisting: GateRepository },
    ChecksGatesService,
    GateClosingService,
    GateExpiryWorker,
    GateHandlersService,
    GateLockService,
    GateMetricsProvider,
    GateOpeningService,
    GatesService,
    QuestionsService,
    SealedArgumentsService,
  ],
  exports: [
    getRepositoryToken(Gate),
    ChecksGatesService,
    GateClosingService,
    GateHandlersService,
    GateOpeningService,
    GatesService,
    QuestionsService,
    SealedArgumentsService,
  ],
})
export class GatesModule {}
