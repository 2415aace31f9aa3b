import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { OauthClientRepository, OauthGrantRepository } from './oauth-grant.repository.js';
import { OauthSignInRepository } from './oauth-sign-in.repository.js';
import { OauthTokenRepository } from './oauth-token.repository.js';
import { OauthClient, OauthGrant, OauthSignIn, OauthToken } from './oauth.entities.js';

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
export class OauthRecordsModule {}
