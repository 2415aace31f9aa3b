import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Allow } from '../../platform/authentication/route-policies-and-agent-itself.js';
import { CarriesSecret, IdempotentAfterwards, Refuses } from '../../platform/http/route.decorators.js';
import {
  ChangeCredentialSetRequest,
  CreateCredentialSetRequest,
  CredentialSetResponse,
} from './credential-set.dto.js';
import { CredentialSetsService } from './credential-sets.service.js';

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id/credential-sets')
export class CredentialSetsController {
  constructor(private readonly sets: CredentialSetsService) {}

  /** The credential sets of a server: `default` first, the others by name. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async list(@Param('id') id: string): Promise<CredentialSetResponse[]> {
    return (await this.sets.list(id)).map(CredentialSetResponse.from);
  }

  /** Adds a set of values, which grants can name. Its processes are apart from those of the other sets. */
  @Post()
  @IdempotentAfterwards()
  @Allow({ role: 'Admin', bearerOnly: true })
  @CarriesSecret()
  @Refuses('not_found', 'name_taken', 'credential_set_limit')
  async create(
    @Param('id') id: string,
    @Body() { name, envValues = {} }: CreateCredentialSetRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CredentialSetResponse> {
    response.location(`/api/mcp/installed/${id}/credential-sets/${name}`);
    return CredentialSetResponse.from(await this.sets.create(id, name, envValues));
  }

  /** Merges values. Live connections finish their calls; new calls use the new values. */
  @Put(':name')
  @IdempotentAfterwards()
  @Allow({ role: 'Admin', bearerOnly: true })
  @CarriesSecret()
  @Refuses('not_found', 'credential_set_limit')
  async change(
    @Param('id') id: string,
    @Param('name') name: string,
    @Body() { envValues }: ChangeCredentialSetRequest,
  ): Promise<CredentialSetResponse> {
    return CredentialSetResponse.from(await this.sets.change(id, name, envValues));
  }

  /** Deletes the values of a set and ends its processes. Calls with it are refused until it gets new values. */
  @Post(':name/revoke')
  @IdempotentAfterwards()
  @HttpCode(200)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async revoke(@Param('id') id: string, @Param('name') name: string): Promise<CredentialSetResponse> {
    return CredentialSetResponse.from(await this.sets.revoke(id, name));
  }

  /** Removes a set that no grant names, with its processes and their folders. */
  @Delete(':name')
  @IdempotentAfterwards()
  @HttpCode(204)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found', 'in_use')
  async delete(@Param('id') id: string, @Param('name') name: string): Promise<void> {
    await this.sets.remove(id, name);
  }
}
