import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessGuard } from './access.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
import { BootstrapOwnerService } from './bootstrap-owner.service.js';
import { ElevatedKeysRepository } from './elevation/elevated-keys.repository.js';
import { ElevationController } from './elevation/elevation.controller.js';
import { ElevationService } from './elevation/elevation.service.js';
import { KeyAuthenticationService } from './key-authentication.service.js';
import { ApiKeysRepository } from './keys/api-keys.repository.js';
import { ApiKeysService } from './keys/api-keys.service.js';
import { KeyExpiryRepository } from './keys/key-expiry.repository.js';
import { KeyExpiryWorker } from './keys/key-expiry.worker.js';
import { KeysOfUsersController } from './keys/keys-of-users.controller.js';
import { UserKeysService } from './keys/user-keys.service.js';
import { MeController } from './me/me.controller.js';
import { OwnProfileService } from './me/own-profile.service.js';
import { LeaseKeysRepository } from './lease-keys/lease-keys.repository.js';
import { LeaseKeysService } from './lease-keys/lease-keys.service.js';
import { BackchannelLogoutController } from './oidc/backchannel-logout.controller.js';
import { BackchannelLogoutService } from './oidc/backchannel-logout.service.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcCookieService } from './oidc/oidc-cookie.service.js';
import { OidcDiscoveryClient } from './oidc/oidc-discovery.client.js';
import { OidcHttpService } from './oidc/oidc-http.service.js';
import { OidcIdentitiesRepository } from './oidc/oidc-identities.repository.js';
import { OidcProviderClient } from './oidc/oidc-provider.client.js';
import { OidcRateService } from './oidc/oidc-rate.service.js';
import { OidcSessionsRepository } from './oidc/oidc-sessions.repository.js';
import { OidcSignInService } from './oidc/oidc-sign-in.service.js';
import { OidcSignInsRepository } from './oidc/oidc-sign-ins.repository.js';
import { OidcUsersService } from './oidc/oidc-users.service.js';
import { SignInRecordsService } from './oidc/sign-in-records.service.js';
import { UserIdentityController } from './oidc/user-identity.controller.js';
import { UserIdentityService } from './oidc/user-identity.service.js';
import { PasswordsService } from './passwords.service.js';
import { AuthChoresWorker } from './limits/auth-chores.worker.js';
import { PasswordThrottleService } from './limits/password-throttle.service.js';
import { RefusalRecordsService } from './limits/refusal-records.service.js';
import { RequestLimitsService } from './limits/request-limits.service.js';
import { PolicyCheckService } from './policy-check.service.js';
import { CsrfRuleService } from './sessions/csrf-rule.service.js';
import { LoginsService } from './sessions/logins.service.js';
import { OwnPasswordService } from './sessions/own-password.service.js';
import { OwnSessionsController } from './sessions/own-sessions.controller.js';
import { PasswordRuleService } from './sessions/password-rule.service.js';
import { SessionAuthenticationService } from './sessions/session-authentication.service.js';
import { SessionCookieService } from './sessions/session-cookie.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsOfUsersController } from './sessions/sessions-of-users.controller.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SignInMethodsController } from './sessions/sign-in-methods.controller.js';
import { UserSessionsService } from './sessions/user-sessions.service.js';
import { UsersController } from './users/users.controller.js';
import { UsersRepository } from './users/users.repository.js';
import { UsersService } from './users/users.service.js';

/** Provides users, keys, sessions, and the guard of every route. */
@Global()
@Module({
  imports: [PassportModule, DiscoveryModule],
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
    ApiKeysRepository,
    ApiKeysService,
    AuthChoresWorker,
    BackchannelLogoutService,
    BearerStrategy,
    BootstrapOwnerService,
    CsrfRuleService,
    ElevatedKeysRepository,
    ElevationService,
    KeyAuthenticationService,
    KeyExpiryRepository,
    KeyExpiryWorker,
    LeaseKeysRepository,
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
    SessionsRepository,
    UserKeysService,
    SignInRecordsService,
    UserIdentityService,
    UserSessionsService,
    UsersRepository,
    UsersService,
  ],
  exports: [
    ApiKeysService,
    KeyAuthenticationService,
    LeaseKeysService,
    OidcRateService,
    RefusalRecordsService,
    RequestLimitsService,
    SessionAuthenticationService,
    SessionCookieService,
    SessionsRepository,
    UsersRepository,
  ],
})
export class AuthModule {}
