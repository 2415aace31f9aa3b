import { AccessTokensService } from '../oauth/access-tokens.service.js';
import { AuthorizationCodeClient } from '../oauth/authorization-code.client.js';
import { AuthorizationServersClient } from '../oauth/authorization-servers.client.js';
import {
  ClientDescriptionService,
  ClientIdentitiesService,
  ClientRegistrationClient,
} from '../oauth/client-identities.service.js';
import { GrantRevocationsService } from '../oauth/grant-revocations.service.js';
import { OauthClientsRepository, OauthGrantsRepository } from '../oauth/oauth-grant.repository.js';
import { OauthSignInsRepository } from '../oauth/oauth-sign-in.repository.js';
import { OauthTokensRepository } from '../oauth/oauth-token.repository.js';
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
  OauthGrantsRepository,
  OauthTokensRepository,
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
  OauthClientsRepository,
  OauthSignInService,
  OauthSignInsRepository,
  SignInChoresWorker,
  SignInRejectionsService,
  SignedInGrantsService,
];

export const oauthProviders = [...tokenProviders, ...signInProviders];
