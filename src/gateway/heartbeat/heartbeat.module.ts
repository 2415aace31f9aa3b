import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { BudgetsModule } from '../../work/budgets/budgets.module.js';
import { CommentsModule } from '../../work/comments/comments.module.js';
import { GatesModule } from '../../work/gates/gates.module.js';
import { IssueStatusModule } from '../../work/issue-status/issue-status.module.js';
import { LeasesModule } from '../../work/leases/leases.module.js';
import { UsageModule } from '../../work/usage/usage.module.js';
import { AgentToolsModule } from '../agent-tools/agent-tools.module.js';
import { CarriedAnswersService } from './carried-answers.service.js';
import { FinishService } from './finish.service.js';
import { FinishController, HeartbeatController } from './heartbeat.controller.js';
import { HeartbeatRepository } from './heartbeat.repository.js';
import { HeartbeatService } from './heartbeat.service.js';
import { NewCommentsRepository, TurnsService } from './turns-and-new-comments.service.js';
import { HeartbeatWakingWorker, WaitingHeartbeatsService } from './waiting-heartbeats.service.js';
import { WorkListService } from './work-list-and-briefs.service.js';
import { WorkerInstance } from './worker-instance.entity.js';
import {
  ConnectionsService,
  WorkerInstanceRepository,
  WorkerInstancesService,
} from './worker-instances-and-connections.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([WorkerInstance]),
    GatesModule,
    IssueStatusModule,
    LeasesModule,
    CommentsModule,
    UsageModule,
    BudgetsModule,
    AgentToolsModule,
  ],
  controllers: [FinishController, HeartbeatController],
  providers: [
    { provide: getRepositoryToken(WorkerInstance), useClass: WorkerInstanceRepository },
    CarriedAnswersService,
    ConnectionsService,
    FinishService,
    HeartbeatRepository,
    HeartbeatService,
    NewCommentsRepository,
    TurnsService,
    HeartbeatWakingWorker,
    WaitingHeartbeatsService,
    WorkListService,
    WorkerInstancesService,
  ],
  exports: [TypeOrmModule, CarriedAnswersService, HeartbeatService],
})
export class HeartbeatModule {}
