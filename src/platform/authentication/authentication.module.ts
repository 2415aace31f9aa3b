import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { AccessGuard, CsrfRuleService, PolicyCheckService } from './access.guard.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyRepository } from './api-key.repository.js';
import { AuthenticationChoresWorker } from './authentication-chores.worker.js';
import { BearerStrategy } from './bearer.strategy.js';
import { KeyAuthenticationService } from './key-authentication.service.js';
import { LeaseKeysService } from './lease-keys.service.js';
import { LoginFailure } from './login-failure.entity.js';
import { PasswordThrottleService } from './password-throttle.service.js';
import { OwnPasswordService, PasswordRuleService, PasswordsService } from './passwords.service.js';
import { RefusalRecordsService } from './refusal-records.service.js';
import { OidcRateService, RequestLimitsService } from './request-limits.service.js';
import { SessionCookieService } from './session-cookie.service.js';
import { Session } from './session.entity.js';
import { SessionRepository } from './session.repository.js';
import { SessionsController, SignInMethodsController } from './sessions.controller.js';
import { LoginsService, SessionAuthenticationService } from './sessions.service.js';
import { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** Provides the guard of every route, and what it knows callers by: users, their keys and sessions. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ApiKey, LoginFailure, Session, User]), PassportModule, DiscoveryModule],
  controllers: [SessionsController, SignInMethodsController],
  providers: [
    { provide: APP_GUARD, useClass: AccessGuard },
    ApiKeyRepository,
    { provide: getRepositoryToken(ApiKey), useExisting: ApiKeyRepository },
    AuthenticationChoresWorker,
    BearerStrategy,
    CsrfRuleService,
    KeyAuthenticationService,
    LeaseKeysService,
    LoginsService,
    OidcRateService,
    OwnPasswordService,
    PasswordRuleService,
    PasswordThrottleService,
    PasswordsService,
    PolicyCheckService,
    RefusalRecordsService,
    RequestLimitsService,
    SessionAuthenticationService,
    SessionCookieService,
    SessionRepository,
    { provide: getRepositoryToken(Session), useExisting: SessionRepository },
    UserRepository,
    { provide: getRepositoryToken(User), useExisting: UserRepository },
  ],
  exports: [
    TypeOrmModule,
    getRepositoryToken(ApiKey),
    getRepositoryToken(Session),
    getRepositoryToken(User),
    KeyAuthenticationService,
    LeaseKeysService,
    OidcRateService,
    OwnPasswordService,
    PasswordRuleService,
    PasswordThrottleService,
    PasswordsService,
    RefusalRecordsService,
    RequestLimitsService,
    SessionAuthenticationService,
    SessionCookieService,
  ],
})
export class AuthenticationModule {}
