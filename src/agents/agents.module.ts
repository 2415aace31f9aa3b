import { Global, Module } from '@nestjs/common';
import { AgentKeysController } from './agent-keys.controller.js';
import { AgentsController } from './agents.controller.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService } from './agents.service.js';
import { AgentFailuresRepository } from './failures/agent-failures.repository.js';
import { AgentFailuresService } from './failures/agent-failures.service.js';
import { HaltController } from './halt/halt.controller.js';
import { HaltRepository } from './halt/halt.repository.js';
import { HaltService } from './halt/halt.service.js';
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
