import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { ServerRecordsModule } from '../server-records/server-records.module.js';
import { AuthorizationCodeClient } from './authorization-code.client.js';
import { AuthorizationServersClient } from './authorization-servers.client.js';
import { ClientDescriptionService, ClientIdentitiesService } from './client-identities.service.js';
import {
  OauthClientRepository,
  OauthGrantRepository,
  OauthSignInRepository,
} from './oauth-sign-in-grant-and-client.repository.js';
import { AccessTokensService, OauthTokenRepository } from './access-tokens.service.js';
import { OauthClient, OauthGrant, OauthSignIn, OauthToken } from './oauth.entities.js';
import {
  GrantRevocationsService,
  SignInNeededService,
} from './sign-in-needed-offered-and-revoked.service.js';
import { TokenEndpointClient } from './token-endpoint.client.js';
import { TokenSourcesService } from './token-sources-and-refresh.service.js';

/** The sealed rows of grants, clients, tokens and unfinished sign-ins at remote servers. */
@Module({
  imports: [TypeOrmModule.forFeature([OauthClient, OauthGrant, OauthSignIn, OauthToken])],
  providers: [
    OauthClientRepository,
    { provide: getRepositoryToken(OauthClient), useExisting: OauthClientRepository },
    OauthGrantRepository,
    { provide: getRepositoryToken(OauthGrant), useExisting: OauthGrantRepository },
    OauthSignInRepository,
    { provide: getRepositoryToken(OauthSignIn), useExisting: OauthSignInRepository },
    OauthTokenRepository,
    { provide: getRepositoryToken(OauthToken), useExisting: OauthTokenRepository },
  ],
  exports: [OauthClientRepository, OauthGrantRepository, OauthSignInRepository, OauthTokenRepository],
})
class OauthRecordsModule {}

/** Gets, keeps and revokes access tokens of remote servers (contract §3.7). The sign-in of people is `SignInModule`. */
@Module({
  imports: [ServerRecordsModule, OauthRecordsModule],
  providers: [
    AccessTokensService,
    AuthorizationCodeClient,
    AuthorizationServersClient,
    ClientDescriptionService,
    ClientIdentitiesService,
    GrantRevocationsService,
    SignInNeededService,
    TokenEndpointClient,
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
    SignInNeededService,
    TokenSourcesService,
  ],
})
export class OauthModule {}
