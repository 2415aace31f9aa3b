import { Global, Module } from '@nestjs/common';
import { AgentKeysController } from './agent-keys.controller.js';
import { AgentsController } from './agents.controller.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService } from './agents.service.js';
import { HaltController } from './halt/halt.controller.js';
import { HaltRepository } from './halt/halt.repository.js';
import { HaltService } from './halt/halt.service.js';

@Global()
@Module({
  controllers: [HaltController, AgentsController, AgentKeysController],
  providers: [AgentsRepository, AgentsService, HaltRepository, HaltService],
  exports: [AgentsRepository, AgentsService, HaltService],
})
export class AgentsModule {}
