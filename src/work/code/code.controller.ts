import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Req, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  AllowInProject,
  Caller,
  Public,
} from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { CarriesSecret, Idempotent, ReadsOwnBody, Refuses } from '../../platform/http/route.decorators.js';
import { PlainCreationResponsesService } from '../../platform/idempotency/creation-and-response-in-one-transaction.service.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { CodeDeliveriesService } from './code-deliveries.service.js';
import { CodeHooksService } from './code-hooks-and-signatures.service.js';
import { CodeLinksService } from './code-links.service.js';
import {
  AddCodeRequest,
  CodeHookResponse,
  CodeResponse,
  CodeDeliveryResponse,
  SetCodeHookRequest,
  SetCodeHookResponse,
} from './code.dto.js';

@ApiTags('Code')
@Controller('api/projects')
export class CodeController {
  constructor(
    private readonly access: IssueAccessService,
    private readonly links: CodeLinksService,
    private readonly hooks: CodeHooksService,
    private readonly projects: ProjectsService,
    private readonly idempotency: PlainCreationResponsesService,
  ) {}

  /** Returns the branches, commits and pull requests of an issue, oldest first, at most 200. */
  @Get('issues/:issueId/code')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(@Caller() caller: Principal, @Param('issueId') issueId: string): Promise<CodeResponse[]> {
    const issue = await this.access.get(caller, issueId, 'Viewer');
    return (await this.links.list(issue)).map(CodeResponse.from);
  }

  /** Links a branch, commit or pull request to an issue. One that is linked already is returned as it is. */
  @Post('issues/:issueId/code')
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @Idempotent()
  @Refuses('not_yours', 'link_limit', 'idempotency_key_in_use', 'idempotency_key_reused')
  async add(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Body() { url }: AddCodeRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CodeResponse> {
    const issue = await this.access.get(caller, issueId, 'Editor');
    return this.idempotency.create(request, response, caller, async () => {
      const link = await this.links.add(caller, issue, url);
      return {
        location: `/api/projects/issues/${issue.id}/code`,
        body: CodeResponse.from(link),
      };
    });
  }

  /** Removes a branch, commit or pull request from its issue. An agent removes what it linked itself. */
  @Delete('code/:codeId')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  async remove(@Caller() caller: Principal, @Param('codeId') codeId: string): Promise<void> {
    await this.links.remove(caller, codeId);
  }

  /** Returns the hooks of a project, without their secrets. */
  @Get(':projectId/code-hooks')
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  async listHooks(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
  ): Promise<CodeHookResponse[]> {
    const project = await this.projects.get(caller, projectId, 'Editor');
    return (await this.hooks.list(project)).map(CodeHookResponse.from);
  }

  /** Sets the hook of a code host. Its secret is returned when it is made, and never again. */
  @Put(':projectId/code-hooks')
  @AllowInProject({ role: 'Admin', agents: 'refused' })
  @CarriesSecret()
  async setHook(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Body() body: SetCodeHookRequest,
  ): Promise<SetCodeHookResponse> {
    const project = await this.projects.get(caller, projectId, 'Admin');
    return SetCodeHookResponse.from(await this.hooks.set(project, body));
  }

  /** Deletes a hook: its code host is refused from then on. What it has reported stays. */
  @Delete('code-hooks/:hookId')
  @HttpCode(204)
  @AllowInProject({ role: 'Admin', agents: 'refused' })
  async deleteHook(@Caller() caller: Principal, @Param('hookId') hookId: string): Promise<void> {
    await this.hooks.delete(caller, hookId);
  }
}

@ApiTags('Code')
@Controller('api/hooks')
export class CodeDeliveriesController {
  constructor(private readonly deliveries: CodeDeliveriesService) {}

  /**
   * Receives a delivery of GitHub, GitLab or Gitea, which its signature authenticates. The same delivery again changes
   * nothing.
   */
  @Post(':provider/:hookId')
  @HttpCode(200)
  @Public()
  @CarriesSecret()
  @ReadsOwnBody()
  // GitLab sends the header with every delivery, where it is the id of the delivery.
  @Idempotent()
  @ApiBody({
    schema: { type: 'object', additionalProperties: true, description: 'As the code host sends it.' },
  })
  @Refuses('unauthenticated', 'payload_too_large', 'unsupported_media_type', 'malformed_json')
  receive(
    @Param('provider') provider: string,
    @Param('hookId') hookId: string,
    @Req() request: Request,
  ): Promise<CodeDeliveryResponse> {
    return this.deliveries.receive(request, provider, hookId);
  }
}
