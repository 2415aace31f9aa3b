import { AccessTokensService } from './access-tokens.service.js';
import { AuthorizationServersClient } from './authorization-servers.client.js';
import { ClientCredentialsClient } from './client-credentials.client.js';
import { GrantRefreshClient } from './grant-refresh.client.js';
import { GrantRevocationsService } from './grant-revocations.service.js';
import { OauthGrantsRepository } from './oauth-grants.repository.js';
import { OauthTokensRepository } from './oauth-tokens.repository.js';
import { SignInStatesService } from './sign-in-states.service.js';
import { SignedInTokensService } from './signed-in-tokens.service.js';
import { TokenSourcesService } from './token-sources.service.js';
import { AuthorizationCodeClient } from './sign-in/authorization-code.client.js';
import { ClientDescriptionService } from './sign-in/client-description.service.js';
import { ClientIdentitiesService } from './sign-in/client-identities.service.js';
import { ClientRegistrationClient } from './sign-in/client-registration.client.js';
import { OauthCallbackService } from './sign-in/oauth-callback.service.js';
import { OauthClientsRepository } from './sign-in/oauth-clients.repository.js';
import { OauthSignInService } from './sign-in/oauth-sign-in.service.js';
import { OauthSignInsRepository } from './sign-in/oauth-sign-ins.repository.js';
import { SignInChoresWorker } from './sign-in/sign-in-chores.worker.js';
import { SignInRejectionsService } from './sign-in/sign-in-rejections.service.js';
import { SignedInGrantsService } from './sign-in/signed-in-grants.service.js';

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
