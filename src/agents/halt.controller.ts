import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../platform/authentication/policy.js';
import { HaltResponse, SetHaltRequest } from './halt.dto.js';
import { HaltService } from './halt.service.js';

@ApiTags('Agents')
@Controller('api/agents/halt')
export class HaltController {
  constructor(private readonly halt: HaltService) {}

  /** Returns whether all agents are halted, and why. */
  @Get()
  @Allow({ role: 'Viewer' })
  async get(): Promise<HaltResponse> {
    return HaltResponse.from(await this.halt.get());
  }

  /** Halts all agents, or ends the halt. While halted, no agent is given work or tools. */
  @Put()
  @Allow({ role: 'Admin' })
  async set(@Body() body: SetHaltRequest): Promise<HaltResponse> {
    return HaltResponse.from(await this.halt.set(body.halted, body.reason ?? null));
  }
}
