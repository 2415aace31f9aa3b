import { Injectable } from '@nestjs/common';
import type { RemoteEntry } from '../catalog/catalog-entry.js';
import { setsAuthorization } from '../catalog/entry-rules.js';
import type { Remote } from '../catalog/launch-template.js';
import type { TokenSource } from '../processes/server-description.js';
import { AccessTokensService } from './access-tokens.service.js';
import { OauthTokenRepository, type TokenOwner } from './oauth-token.repository.js';
import { SignedInTokensService } from './signed-in-tokens.service.js';
import { ClientCredentialsClient } from './token-endpoint.client.js';

/** What decides where the tokens of a remote server come from. */
export interface TokenUser {
  id: string;
  name: string;
  entry: RemoteEntry;
  remote: Remote;
  values: Readonly<Record<string, string>>;
  credentialSetId: string;
  credentialSetName: string;
  processRevision: string;
  isSignedIn: boolean;
  isTrial: boolean;
}

/** Picks the source of the access tokens of a remote server: its client credentials, or the sign-in of a person. */
@Injectable()
export class TokenSourcesService {
  constructor(
    private readonly tokens: AccessTokensService,
    private readonly stored: OauthTokenRepository,
    private readonly client: ClientCredentialsClient,
    private readonly signedIn: SignedInTokensService,
  ) {}

  /** @returns undefined for a server that takes a header Authorization of its entry */
  of(user: TokenUser): TokenSource | undefined {
    const { entry, remote, values } = user;
    const { oauth } = entry.manifest;
    if (oauth?.grant === 'client_credentials') {
      const owner = ownerOf(user);
      const request = { serverUrl: remote.url, oauth, values };
      const issue = async () => ({
        ...(await this.client.request(request)),
        store: (claim: string, token: Parameters<OauthTokenRepository['store']>[2]) =>
          this.stored.store(owner, claim, token),
      });
      return { token: (refusedId) => this.tokens.token(owner, issue, refusedId) };
    }
    return setsAuthorization(entry) ? undefined : this.signedInSource(user);
  }

  private signedInSource(user: TokenUser): TokenSource {
    const { id, entry, remote, name, credentialSetId, credentialSetName } = user;
    const { processRevision, isSignedIn, isTrial } = user;
    return this.signedIn.sourceFor({
      serverId: id,
      credentialSetId,
      processRevision,
      owner: ownerOf(user),
      serverName: name,
      credentialSetName,
      serverUrl: remote.url,
      isDemanded: entry.manifest.oauth?.grant === 'authorization_code',
      isSignedIn,
      isTrial,
      sendsHeaders: Object.keys(remote.headers).length > 0,
    });
  }
}

/** An entry that is tried may have another address, to which no token of another one is sent. */
function ownerOf({ credentialSetId, processRevision, isTrial, remote }: TokenUser): TokenOwner {
  return {
    credentialSetId,
    processRevision: isTrial ? `${processRevision} tried at ${remote.url}` : processRevision,
  };
}
