import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { InstalledServersModule } from '../installed-servers/installed-servers.module.js';
import { OauthModule } from '../oauth/oauth.module.js';
import { ServerRecordsModule } from '../server-records/server-records.module.js';
import {
  OauthCallbackService,
  OauthSignInService,
  SignInChoresWorker,
  SignInRejectionsService,
} from './sign-in-beginning-callback-and-refusals.service.js';
import { CredentialSetSignInController, OauthController } from './sign-in-and-oauth-callback.controller.js';
import { SignedInGrantsService } from './signed-in-grants.service.js';

/** Sign-ins of people at the authorization servers of remote servers (contract §3.7). */
@Module({
  imports: [CredentialsModule, InstalledServersModule, OauthModule, ServerRecordsModule],
  controllers: [CredentialSetSignInController, OauthController],
  providers: [
    OauthCallbackService,
    OauthSignInService,
    SignInChoresWorker,
    SignInRejectionsService,
    SignedInGrantsService,
  ],
})
export class SignInModule {}
