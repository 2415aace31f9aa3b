import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentEntity } from './agent.entity.js';
import { AgentKeysController } from './agent-keys.controller.js';
import { AgentsController } from './agents.controller.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService } from './agents.service.js';
import { HaltController } from './halt/halt.controller.js';
import { HaltService } from './halt/halt.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AgentEntity])],
  controllers: [HaltController, AgentsController, AgentKeysController],
  providers: [AgentsRepository, AgentsService, HaltService],
  exports: [AgentsRepository, AgentsService, HaltService],
})
export class AgentsModule {}
