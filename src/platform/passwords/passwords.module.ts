import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LoginFailure } from '../authentication/authentication.entities.js';
import { LoginsService, OwnPasswordService, PasswordRuleService } from './logins-and-own-password.service.js';
import { PasswordsService, PasswordThrottleService } from './password-hashes-and-throttle.service.js';
import { SessionsController, SignInMethodsController } from './login-and-logout.controller.js';

/** Sign-in with a password, and how guesses at passwords are held off (contract §2.6). */
@Module({
  imports: [TypeOrmModule.forFeature([LoginFailure])],
  controllers: [SessionsController, SignInMethodsController],
  providers: [
    LoginsService,
    OwnPasswordService,
    PasswordRuleService,
    PasswordThrottleService,
    PasswordsService,
  ],
  exports: [OwnPasswordService, PasswordRuleService, PasswordThrottleService, PasswordsService],
})
export class PasswordsModule {}
