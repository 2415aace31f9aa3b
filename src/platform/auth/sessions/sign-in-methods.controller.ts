import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { Public } from '../policy.js';
import { SignInMethodsResponse } from './dto/sign-in-methods.response.js';
import { PasswordRuleService } from './password-rule.service.js';

@ApiTags('Sessions')
@Controller('api/auth/methods')
export class SignInMethodsController {
  constructor(
    private readonly settings: Settings,
    private readonly passwordRule: PasswordRuleService,
  ) {}

  /** Returns how people sign in, for a sign-in page. */
  @Get()
  @Public()
  get(@Req() request: Request): SignInMethodsResponse {
    const { oidc } = this.settings;
    return {
      password: this.passwordRule.accepts(request),
      oidc: oidc && { name: oidc.name, url: '/api/auth/oidc/login' },
    };
  }
}
