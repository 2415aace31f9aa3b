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
import { PolicyCheck } from './policy-check.js';
import { UserEntity } from './users/user.entity.js';
import { UsersController } from './users/users.controller.js';
import { UsersRepository } from './users/users.repository.js';
import { UsersService } from './users/users.service.js';

/** Users, keys, and the one guard of every route. */
@Global()
@Module({
  imports: [PassportModule, DiscoveryModule, TypeOrmModule.forFeature([UserEntity, ApiKeyEntity])],
  controllers: [MeController, UsersController, KeysOfUsersController],
  providers: [
    { provide: APP_GUARD, useClass: AccessGuard },
    ApiKeysRepository,
    ApiKeysService,
    BearerStrategy,
    BootstrapOwner,
    KeyAuthentication,
    Passwords,
    PolicyCheck,
    UserKeysService,
    UsersRepository,
    UsersService,
  ],
  exports: [ApiKeysService, UsersRepository],
})
export class AuthModule {}
