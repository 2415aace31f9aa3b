import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Allow } from '../../platform/authentication/policy.js';
import { etagOf, TakesIfMatch } from '../../platform/http/if-match-and-lease-token.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { type ProfileRow, ProfilesService } from './profiles.service.js';
import { ChangeProfileRequest, CreateProfileRequest, entryOf, ProfileResponse } from './profile.dto.js';

@ApiTags('MCP servers')
@Controller('api/mcp/profiles')
export class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  /** All profiles, by name. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  async list(): Promise<ProfileResponse[]> {
    return (await this.profiles.list()).map(ProfileResponse.from);
  }

  /** Gives several agents access to several servers, beside their grants. */
  @Post()
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('name_taken')
  async create(
    @Body() { name, entries, agentIds }: CreateProfileRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProfileResponse> {
    const profile = await this.profiles.create({ name, entries: entries?.map(entryOf), agentIds });
    response.location(`/api/mcp/profiles/${profile.id}`);
    return answered(response, profile);
  }

  /** One profile. */
  @Get(':profileId')
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async get(
    @Param('profileId') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProfileResponse> {
    return answered(response, await this.profiles.get(id));
  }

  /** Replaces what the request names: the name, all entries, all agents. Takes effect at once. */
  @Put(':profileId')
  @Allow({ role: 'Admin', bearerOnly: true })
  @TakesIfMatch()
  @Refuses('not_found', 'name_taken')
  async change(
    @Param('profileId') id: string,
    @Body() { name, entries, agentIds }: ChangeProfileRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProfileResponse> {
    const change = { name, entries: entries?.map(entryOf), agentIds };
    return answered(response, await this.profiles.change(id, change, ifMatch));
  }

  /** Removes the profile; its agents keep their grants. */
  @Delete(':profileId')
  @HttpCode(204)
  @Allow({ role: 'Admin', bearerOnly: true })
  @TakesIfMatch()
  @Refuses('not_found')
  async delete(
    @Param('profileId') id: string,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<void> {
    await this.profiles.remove(id, ifMatch);
  }
}

function answered(response: Response, profile: ProfileRow): ProfileResponse {
  response.setHeader('ETag', etagOf(profile.version));
  return ProfileResponse.from(profile);
}
