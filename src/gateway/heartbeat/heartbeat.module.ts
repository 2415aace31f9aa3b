import { Module } from '@nestjs/common';
import { BudgetsModule } from '../../work/budgets/budgets.module.js';
import { CommentsModule } from '../../work/comments/comments.module.js';
import { GatesModule } from '../../work/gates/gates.module.js';
import { IssuesModule } from '../../work/issues/issues.module.js';
import { UsageModule } from '../../work/usage/usage.module.js';
import { AgentToolsModule } from '../agent-tools/agent-tools.module.js';
import { CarriedAnswersService } from './answers/carried-answers.service.js';
import { AttachedFilesRepository } from './attached-files.repository.js';
import { ConnectionsService } from './connections.service.js';
import { FinishController } from './finish/finish.controller.js';
import { FinishService } from './finish/finish.service.js';
import { HeartbeatController } from './heartbeat.controller.js';
import { HeartbeatRepository } from './heartbeat.repository.js';
import { HeartbeatService } from './heartbeat.service.js';
import { WorkerInstancesRepository } from './instances/worker-instances.repository.js';
import { WorkerInstancesService } from './instances/worker-instances.service.js';
import { NewCommentsRepository } from './new-comments.repository.js';
import { TurnsService } from './turns.service.js';
import { WaitingHeartbeatsService } from './waiting/waiting-heartbeats.service.js';
import { WaitingRepository } from './waiting/waiting.repository.js';
import { WaitingWorkersWorker } from './waiting/waiting-workers.worker.js';
import { WorkListService } from './work/work-list.service.js';

@Module({
  imports: [GatesModule, IssuesModule, CommentsModule, UsageModule, BudgetsModule, AgentToolsModule],
  controllers: [FinishController, HeartbeatController],
  providers: [
    AttachedFilesRepository,
    CarriedAnswersService,
    ConnectionsService,
    FinishService,
    HeartbeatRepository,
    HeartbeatService,
    NewCommentsRepository,
    TurnsService,
    WaitingHeartbeatsService,
    WaitingRepository,
    WaitingWorkersWorker,
    WorkListService,
    WorkerInstancesRepository,
    WorkerInstancesService,
  ],
  exports: [CarriedAnswersService, HeartbeatService],
})
export class HeartbeatModule {}
