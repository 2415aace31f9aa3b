import { Global, Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Agent, AgentFailure, AgentHalt } from './agent.entity.js';
import { AgentFailuresService } from './agent-failures-over-budget-and-why.service.js';
import { AgentKeysController, AgentsController, HaltController } from './agents.controller.js';
import { AgentRepository } from './agent.repository.js';
import { AgentsService, HaltService } from './agents.service.js';
import { SeenProjectsService } from './seen-projects.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Agent, AgentFailure, AgentHalt])],
  controllers: [HaltController, AgentsController, AgentKeysController],
  providers: [
    AgentRepository,
    { provide: getRepositoryToken(Agent), useExisting: AgentRepository },
    AgentsService,
    AgentFailuresService,
    HaltService,
    SeenProjectsService,
  ],
  exports: [
    TypeOrmModule,
    AgentRepository,
    getRepositoryToken(Agent),
    AgentsService,
    AgentFailuresService,
    HaltService,
    SeenProjectsService,
  ],
})
export class AgentsModule {}
