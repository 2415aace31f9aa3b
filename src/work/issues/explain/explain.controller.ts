import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../../platform/auth/policy.js';
import type { Principal } from '../../../platform/auth/principal.js';
import { ExplainResponse } from '../dto/explain.response.js';
import { ExplainService } from './explain.service.js';

@ApiTags('Issues')
@Controller('api/projects/issues/:issueId/explain')
export class ExplainController {
  constructor(private readonly explain: ExplainService) {}

  /** Explains why no agent works on an issue, who must act, and what happens next. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async get(@Caller() caller: Principal, @Param('issueId') issueId: string): Promise<ExplainResponse> {
    return ExplainResponse.from(await this.explain.facts(caller, issueId));
  }
}
