import { Global, Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { OidcLogout, OidcSignIn, UserIdentity } from './oidc.entities.js';
import { Session } from '../authentication/session.entity.js';
import { User } from '../authentication/user.entity.js';
import { ApiKey } from '../authentication/api-key.entity.js';
import { LoginFailure } from '../authentication/login-failure.entity.js';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessGuard, CsrfRuleService, PolicyCheckService } from '../authentication/access.guard.js';
import { ApiKeyRepository } from '../authentication/api-key.repository.js';
import { BearerStrategy } from '../authentication/bearer.strategy.js';
import { KeyAuthenticationService } from '../authentication/key-authentication.service.js';
import { LeaseKeysService } from '../authentication/lease-keys.service.js';
import { PasswordThrottleService } from '../authentication/password-throttle.service.js';
import {
  OwnPasswordService,
  PasswordRuleService,
  PasswordsService,
} from '../authentication/passwords.service.js';
import { RefusalRecordsService } from '../authentication/refusal-records.service.js';
import { OidcRateService, RequestLimitsService } from '../authentication/request-limits.service.js';
import { SessionCookieService } from '../authentication/session-cookie.service.js';
import { SessionRepository } from '../authentication/session.repository.js';
import { SessionsController, SignInMethodsController } from '../authentication/sessions.controller.js';
import { LoginsService, SessionAuthenticationService } from '../authentication/sessions.service.js';
import { UserRepository } from '../authentication/user.repository.js';
import { ApiKeysService, UserKeysService } from '../users/api-keys.service.js';
import { BootstrapOwnerService } from '../users/bootstrap-owner.service.js';
import { ElevationController } from '../users/elevation.controller.js';
import { ElevationService } from '../users/elevation.service.js';
import { KeyExpiryWorker } from '../users/key-expiry.worker.js';
import { MeController, OwnSessionsController } from '../users/me.controller.js';
import { KeysOfUsersController } from '../users/user-keys.controller.js';
import { SessionsOfUsersController, UsersController } from '../users/users.controller.js';
import { OwnProfileService, UserSessionsService, UsersService } from '../users/users.service.js';
import { AuthChoresWorker } from './auth-chores.worker.js';
import { BackchannelLogoutController } from './backchannel-logout.controller.js';
import { BackchannelLogoutService } from './backchannel-logout.service.js';
import { OidcCookieService } from './oidc-cookie.service.js';
import { OidcDiscoveryClient, OidcHttpService } from './oidc-discovery.client.js';
import { OidcProviderClient } from './oidc-provider.client.js';
import { OidcSessionsRepository } from './oidc-session.repository.js';
import { OidcSignInsRepository } from './oidc-sign-in.repository.js';
import { OidcSignInService, SignInRecordsService } from './oidc-sign-in.service.js';
import { OidcUsersService } from './oidc-users.service.js';
import { OidcController } from './oidc.controller.js';
import { UserIdentityController } from './user-identity.controller.js';
import { OidcIdentitiesRepository } from './user-identity.repository.js';
import { UserIdentityService } from './user-identity.service.js';

/** Provides users, keys, sessions, and the guard of every route. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([ApiKey, LoginFailure, OidcLogout, OidcSignIn, Session, User, UserIdentity]),
    PassportModule,
    DiscoveryModule,
  ],
  controllers: [
    SessionsController,
    SignInMethodsController,
    OidcController,
    BackchannelLogoutController,
    ElevationController,
    MeController,
    OwnSessionsController,
    UsersController,
    KeysOfUsersController,
    SessionsOfUsersController,
    UserIdentityController,
  ],
  providers: [
    { provide: APP_GUARD, useClass: AccessGuard },
    ApiKeyRepository,
    { provide: getRepositoryToken(ApiKey), useExisting: ApiKeyRepository },
    ApiKeysService,
    AuthChoresWorker,
    BackchannelLogoutService,
    BearerStrategy,
    BootstrapOwnerService,
    CsrfRuleService,
    ElevationService,
    KeyAuthenticationService,
    KeyExpiryWorker,
    LeaseKeysService,
    LoginsService,
    OidcCookieService,
    OidcDiscoveryClient,
    OidcHttpService,
    OidcIdentitiesRepository,
    OidcProviderClient,
    OidcRateService,
    OidcSessionsRepository,
    OidcSignInService,
    OidcSignInsRepository,
    OidcUsersService,
    OwnPasswordService,
    OwnProfileService,
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
    UserKeysService,
    SignInRecordsService,
    UserIdentityService,
    UserSessionsService,
    UserRepository,
    { provide: getRepositoryToken(User), useExisting: UserRepository },
    UsersService,
  ],
  exports: [
    TypeOrmModule,
    ApiKeysService,
    KeyAuthenticationService,
    LeaseKeysService,
    OidcRateService,
    RefusalRecordsService,
    RequestLimitsService,
    SessionAuthenticationService,
    SessionCookieService,
  ],
})
export class AuthModule {}
