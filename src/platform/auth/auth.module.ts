import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessGuard } from './access.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
import { BootstrapOwner } from './bootstrap-owner.js';
import { KeyAuthentication } from './key-authentication.js';
import { ApiKeyEntity } from './keys/api-key.entity.js';
import { ApiKeysRepository } from './keys/api-keys.repository.js';
import { ApiKeysService } from './keys/api-keys.service.js';
import { KeysOfUsersController } from './keys/keys-of-users.controller.js';
import { UserKeysService } from './keys/user-keys.service.js';
import { MeController } from './me/me.controller.js';
import { Passwords } from './passwords.js';
import { AuthChores } from './limits/auth-chores.js';
import { PasswordThrottle } from './limits/password-throttle.js';
import { RefusalRecords } from './limits/refusal-records.js';
import { RequestLimits } from './limits/request-limits.js';
import { PolicyCheck } from './policy-check.js';
import { CsrfRule } from './sessions/csrf-rule.js';
import { LoginsService } from './sessions/logins.service.js';
import { OwnPasswordService } from './sessions/own-password.service.js';
import { SessionAuthentication } from './sessions/session-authentication.js';
import { SessionCookie } from './sessions/session-cookie.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { UserEntity } from './users/user.entity.js';
import { UsersController } from './users/users.controller.js';
import { UsersRepository } from './users/users.repository.js';
import { UsersService } from './users/users.service.js';

/** Users, keys, sessions, and the one guard of every route. */
@Global()
@Module({
  imports: [PassportModule, DiscoveryModule, TypeOrmModule.forFeature([UserEntity, ApiKeyEntity])],
  controllers: [SessionsController, MeController, UsersController, KeysOfUsersController],
  providers: [
    { provide: APP_GUARD, useClass: AccessGuard },
    ApiKeysRepository,
    ApiKeysService,
    AuthChores,
    BearerStrategy,
    BootstrapOwner,
    CsrfRule,
    KeyAuthentication,
    LoginsService,
    OwnPasswordService,
    PasswordThrottle,
    Passwords,
    PolicyCheck,
    RefusalRecords,
    RequestLimits,
    SessionAuthentication,
    SessionCookie,
    SessionsRepository,
    UserKeysService,
    UsersRepository,
    UsersService,
  ],
  exports: [ApiKeysService, KeyAuthentication, RefusalRecords, SessionsRepository, UsersRepository],
})
export class AuthModule {}
