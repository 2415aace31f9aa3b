import { Module } from '@nestjs/common';
import { IssuesModule } from '../../work/issues/issues.module.js';
import { AgentToolsModule } from '../agent-tools/agent-tools.module.js';
import { HeartbeatController } from './heartbeat.controller.js';
import { HeartbeatRepository } from './heartbeat.repository.js';
import { HeartbeatService } from './heartbeat.service.js';
import { TurnsService } from './turns.service.js';

@Module({
  imports: [IssuesModule, AgentToolsModule],
  controllers: [HeartbeatController],
  providers: [HeartbeatRepository, HeartbeatService, TurnsService],
  exports: [HeartbeatService],
})
export class HeartbeatModule {}
