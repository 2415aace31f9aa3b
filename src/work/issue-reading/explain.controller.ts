import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AllowInProject, Caller } from '../../platform/authentication/policy.js';
import type { Principal } from '../../platform/authentication/principal.js';
import { ExplainResponse } from './explain.response.js';
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
