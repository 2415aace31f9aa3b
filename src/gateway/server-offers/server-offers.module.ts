import { Module } from '@nestjs/common';
import { AccessModule } from '../../mcp/access/access.module.js';
import { RunningModule } from '../../mcp/running/running.module.js';
import { ServerProcessesModule } from '../../mcp/server-processes/server-processes.module.js';
import {
  CompletionsService,
  PromptsService,
  ResourcesService,
  ServerListsService,
  ServerRequestsService,
} from './prompts-resources-completions.service.js';

/** Prompts, resources and completions of installed servers. */
@Module({
  imports: [AccessModule, RunningModule, ServerProcessesModule],
  providers: [
    CompletionsService,
    PromptsService,
    ResourcesService,
    ServerListsService,
    ServerRequestsService,
  ],
  exports: [CompletionsService, PromptsService, ResourcesService, ServerListsService, ServerRequestsService],
})
export class ServerOffersModule {}
