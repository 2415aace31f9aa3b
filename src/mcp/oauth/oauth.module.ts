import { Module } from '@nestjs/common';
import { ServerRecordsModule } from '../server-records/server-records.module.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AuthorizationCodeClient } from './authorization-code.client.js';
import { AuthorizationServersClient } from './authorization-servers.client.js';
import {
  ClientDescriptionService,
  ClientIdentitiesService,
  ClientRegistrationClient,
} from './client-identities.service.js';
import { GrantRevocationsService } from './grant-revocations.service.js';
import { OauthRecordsModule } from './oauth-records.module.js';
import { SignInStatesService } from './sign-in-states.service.js';
import { SignedInTokensService } from './signed-in-tokens.service.js';
import { ClientCredentialsClient, GrantRefreshClient } from './token-endpoint.client.js';
import { TokenSourcesService } from './token-sources.service.js';

/** Gets, keeps and revokes access tokens of remote servers (contract §3.7). The sign-in of people is `SignInModule`. */
@Module({
  imports: [ServerRecordsModule, OauthRecordsModule],
  providers: [
    AccessTokensService,
    AuthorizationCodeClient,
    AuthorizationServersClient,
    ClientCredentialsClient,
    ClientDescriptionService,
    ClientIdentitiesService,
    ClientRegistrationClient,
    GrantRefreshClient,
    GrantRevocationsService,
    SignInStatesService,
    SignedInTokensService,
    TokenSourcesService,
  ],
  exports: [
    OauthRecordsModule,
    AccessTokensService,
    AuthorizationCodeClient,
    AuthorizationServersClient,
    ClientDescriptionService,
    ClientIdentitiesService,
    GrantRevocationsService,
    SignInStatesService,
    TokenSourcesService,
  ],
})
export class OauthModule {}
