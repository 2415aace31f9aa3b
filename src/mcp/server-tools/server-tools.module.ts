import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { RunningModule } from '../running/running.module.js';
import { ServerProcessesModule } from '../server-processes/server-processes.module.js';
import { ServerRecordsModule } from '../server-records/server-records.module.js';
import { ToolsHostsModule } from '../tools-hosts/tools-hosts.module.js';
import { ServerToolRepository } from './server-tool.repository.js';
import { ServerToolsController, TryOutController } from './server-tools.controller.js';
import { ServerToolsService, TryOutService } from './server-tools-approval-and-try-out.service.js';
import { ToolCallRepository, ToolCallRetentionWorker } from './tool-call-records-and-retention.repository.js';
import { DefinitionChecksWorker, ToolComparisonsService } from './tool-changes-and-withholding.service.js';
import {
  FirstListingsService,
  FirstListingWaitService,
  ToolListingsService,
} from './listing-intervals-and-waits.service.js';
import { ServerTool, ToolCall } from './tool.entities.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ServerTool, ToolCall]),
    RunningModule,
    ServerProcessesModule,
    ServerRecordsModule,
    ToolsHostsModule,
  ],
  controllers: [ServerToolsController, TryOutController],
  providers: [
    DefinitionChecksWorker,
    FirstListingsService,
    FirstListingWaitService,
    ServerToolRepository,
    { provide: getRepositoryToken(ServerTool), useExisting: ServerToolRepository },
    ServerToolsService,
    ToolCallRepository,
    { provide: getRepositoryToken(ToolCall), useExisting: ToolCallRepository },
    ToolCallRetentionWorker,
    ToolComparisonsService,
    ToolListingsService,
    TryOutService,
  ],
  exports: [
    FirstListingsService,
    FirstListingWaitService,
    ServerToolRepository,
    ToolCallRepository,
    ToolComparisonsService,
    ToolListingsService,
  ],
})
export class ServerToolsModule {}
