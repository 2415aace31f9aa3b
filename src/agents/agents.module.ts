import { Global, Module } from '@nestjs/common';
import { AgentFailuresRepository, AgentFailuresService } from './agent-failures.service.js';
import { AgentKeysController } from './agent-keys.controller.js';
import { AgentsRepository } from './agent.repository.js';
import { AgentsController } from './agents.controller.js';
import { AgentsService } from './agents.service.js';
import { HaltController } from './halt.controller.js';
import { HaltRepository, HaltService } from './halt.service.js';
import { SeenProjectsService } from './seen-projects.service.js';

@Global()
@Module({
  controllers: [HaltController, AgentsController, AgentKeysController],
  providers: [
    AgentsRepository,
    AgentsService,
    AgentFailuresRepository,
    AgentFailuresService,
    HaltRepository,
    HaltService,
    SeenProjectsService,
  ],
  exports: [AgentsRepository, AgentsService, AgentFailuresService, HaltService, SeenProjectsService],
})
export class AgentsModule {}
