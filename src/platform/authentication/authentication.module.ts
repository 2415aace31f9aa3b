import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { AccessGuard, PolicyCheckService } from './access.guard.js';
import { ApiKeyRepository } from './api-key.repository.js';
import { ApiKey, Session, User } from './authentication.entities.js';
import { BearerStrategy, KeyAuthenticationService } from './key-format-and-authentication.service.js';
import { LeaseKeysService } from './lease-keys.service.js';
import {
  OidcRateService,
  RefusalRecordsService,
  RequestLimitsService,
} from './request-limits-and-refusal-records.service.js';
import {
  SessionAuthenticationService,
  SessionCookieService,
} from './session-cookie-authentication.service.js';
import { AuthenticationChoresWorker, SessionRepository } from './session.repository.js';
import { UserRepository } from './user.repository.js';

/** Provides the guard of every route, and what it knows callers by: users, their keys and sessions. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ApiKey, Session, User]), PassportModule, DiscoveryModule],
  providers: [
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: getRepositoryToken(ApiKey), useClass: ApiKeyRepository },
    AuthenticationChoresWorker,
    BearerStrategy,
    KeyAuthenticationService,
    LeaseKeysService,
    OidcRateService,
    PolicyCheckService,
    RefusalRecordsService,
    RequestLimitsService,
    SessionAuthenticationService,
    SessionCookieService,
    { provide: getRepositoryToken(Session), useClass: SessionRepository },
    { provide: getRepositoryToken(User), useClass: UserRepository },
  ],
  exports: [
    TypeOrmModule,
    getRepositoryToken(ApiKey),
    getRepositoryToken(Session),
    getRepositoryToken(User),
    KeyAuthenticationService,
    LeaseKeysService,
    OidcRateService,
    RefusalRecordsService,
    RequestLimitsService,
    SessionAuthenticationService,
    SessionCookieService,
  ],
})
export class AuthenticationModule {}
