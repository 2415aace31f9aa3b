import { getRepositoryToken } from '@nestjs/typeorm';
import { AccessTokensService } from '../oauth/access-tokens.service.js';
import { AuthorizationCodeClient } from '../oauth/authorization-code.client.js';
import { AuthorizationServersClient } from '../oauth/authorization-servers.client.js';
import {
  ClientDescriptionService,
  ClientIdentitiesService,
  ClientRegistrationClient,
} from '../oauth/client-identities.service.js';
import { GrantRevocationsService } from '../oauth/grant-revocations.service.js';
import { OauthClientRepository, OauthGrantRepository } from '../oauth/oauth-grant.repository.js';
import { OauthSignInRepository } from '../oauth/oauth-sign-in.repository.js';
import { OauthTokenRepository } from '../oauth/oauth-token.repository.js';
import { OauthClient, OauthGrant, OauthSignIn, OauthToken } from '../oauth/oauth.entities.js';
import { SignInStatesService } from '../oauth/sign-in-states.service.js';
import { SignedInTokensService } from '../oauth/signed-in-tokens.service.js';
import { ClientCredentialsClient, GrantRefreshClient } from '../oauth/token-endpoint.client.js';
import { TokenSourcesService } from '../oauth/token-sources.service.js';
import { OauthCallbackService, OauthSignInService } from './oauth-sign-in.service.js';
import { SignInChoresWorker, SignInRejectionsService } from './sign-in-rejections.service.js';
import { SignedInGrantsService } from './signed-in-grants.service.js';

/** What gets access tokens of remote servers. */
const tokenProviders = [
  AccessTokensService,
  AuthorizationServersClient,
  ClientCredentialsClient,
  GrantRefreshClient,
  GrantRevocationsService,
  OauthGrantRepository,
  { provide: getRepositoryToken(OauthGrant), useExisting: OauthGrantRepository },
  OauthTokenRepository,
  { provide: getRepositoryToken(OauthToken), useExisting: OauthTokenRepository },
  SignInStatesService,
  SignedInTokensService,
  TokenSourcesService,
];

/** Sign-ins of people at the authorization servers of remote servers. */
const signInProviders = [
  AuthorizationCodeClient,
  ClientDescriptionService,
  ClientIdentitiesService,
  ClientRegistrationClient,
  OauthCallbackService,
  OauthClientRepository,
  { provide: getRepositoryToken(OauthClient), useExisting: OauthClientRepository },
  OauthSignInService,
  OauthSignInRepository,
  { provide: getRepositoryToken(OauthSignIn), useExisting: OauthSignInRepository },
  SignInChoresWorker,
  SignInRejectionsService,
  SignedInGrantsService,
];

export const oauthProviders = [...tokenProviders, ...signInProviders];
