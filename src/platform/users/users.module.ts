import { Global, Module } from '@nestjs/common';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { ApiKeysService, KeyExpiryWorker, UserKeysService } from './api-keys.service.js';
import { BootstrapOwnerService } from './bootstrap-owner.service.js';
import {
  ElevationController,
  MeController,
  OwnSessionsController,
} from './me-keys-sessions-elevation.controller.js';
import { ElevationService } from './elevation.service.js';
import { KeysOfUsersController, SessionsOfUsersController, UsersController } from './users.controller.js';
import { OwnProfileService, UserSessionsService, UsersService } from './users-profiles-sessions.service.js';

/** Manages users, keys and sessions, the caller's own and other people's. */
@Global()
@Module({
  imports: [PasswordsModule],
  controllers: [
    ElevationController,
    MeController,
    OwnSessionsController,
    UsersController,
    KeysOfUsersController,
    SessionsOfUsersController,
  ],
  providers: [
    ApiKeysService,
    BootstrapOwnerService,
    ElevationService,
    KeyExpiryWorker,
    OwnProfileService,
    UserKeysService,
    UserSessionsService,
    UsersService,
  ],
  exports: [ApiKeysService, UsersService],
})
export class UsersModule {}
