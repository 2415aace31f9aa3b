import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { BackchannelLogoutService, OidcLogoutRepository } from './backchannel-logout.service.js';
import { OidcDiscoveryClient, OidcHttpService } from './oidc-discovery.client.js';
import { OidcProviderClient } from './oidc-provider.client.js';
import {
  OidcChoresWorker,
  OidcCookieService,
  OidcSignInService,
  SignInRecordsService,
} from './oidc-sign-in.service.js';
import { OidcUsersService } from './oidc-users.service.js';
import { BackchannelLogoutController, OidcController, UserIdentityController } from './oidc.controller.js';
import { OidcLogout, OidcSignIn, UserIdentity } from './oidc.entities.js';
import { UserIdentityService } from './user-identity.service.js';

/** Signs people in at an OpenID provider, and says which person there a user is. */
@Module({
  imports: [TypeOrmModule.forFeature([OidcLogout, OidcSignIn, UserIdentity])],
  controllers: [OidcController, BackchannelLogoutController, UserIdentityController],
  providers: [
    BackchannelLogoutService,
    OidcChoresWorker,
    OidcCookieService,
    OidcDiscoveryClient,
    OidcHttpService,
    OidcLogoutRepository,
    { provide: getRepositoryToken(OidcLogout), useExisting: OidcLogoutRepository },
    OidcProviderClient,
    OidcSignInService,
    OidcUsersService,
    SignInRecordsService,
    UserIdentityService,
  ],
})
export class OidcModule {}
