import { Module } from '@nestjs/common';
import { AgentTodayRepository, AgentTodayService } from './agent-today.service.js';
import { AgentTodayController, FleetController } from './fleet.controller.js';
import { FleetRepository, FleetService } from './fleet.service.js';

/** What people read of all agents at a glance, and of one agent's day. */
@Module({
  controllers: [FleetController, AgentTodayController],
  providers: [AgentTodayRepository, AgentTodayService, FleetRepository, FleetService],
})
export class FleetModule {}
