import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../authentication/policy.js';
import { Refuses } from '../http/route.decorators.js';
import { CurrentIdentityResponse, IdentityResponse, SetIdentityRequest } from './oidc.dto.js';
import { UserIdentityService } from './user-identity.service.js';

/**
 * Only an Owner joins a user with a person at the provider: an Admin who joined a user of their own with the person of an
 * Owner would be Owner once the roles of that person arrive.
 */
@ApiTags('Users and keys')
@Controller('api/users/:userId/identity')
export class UserIdentityController {
  constructor(private readonly identities: UserIdentityService) {}

  /** Returns which person at the configured OpenID provider a user is. */
  @Get()
  @Allow({ role: 'Owner' })
  @Refuses('not_found')
  async get(@Param('userId') userId: string): Promise<CurrentIdentityResponse> {
    return this.identities.get(userId);
  }

  /** Says which person at the OpenID provider a user is. The sessions of the user end. */
  @Put()
  @Allow({ role: 'Owner' })
  @Refuses('not_found', 'name_taken')
  async set(
    @Param('userId') userId: string,
    @Body() { subject }: SetIdentityRequest,
  ): Promise<IdentityResponse> {
    return IdentityResponse.from(await this.identities.set(userId, subject));
  }

  /** Separates a user from the person at the OpenID provider. The sessions of the user end. */
  @Delete()
  @HttpCode(204)
  @Allow({ role: 'Owner' })
  @Refuses('not_found', 'last_owner')
  async remove(@Param('userId') userId: string): Promise<void> {
    await this.identities.remove(userId);
  }
}
