import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashOfKey } from '../../../../platform/auth/keys/api-key-format.js';
import type { UserPrincipal } from '../../../../platform/auth/principal.js';
import { ownPath } from '../../../../platform/auth/oidc/return-to.js';
import { isForeignKeyViolation } from '../../../../platform/database/postgres-errors.js';
import { SecretRegister } from '../../../../platform/encryption/secret-register.js';
import { NotFound, ValidationFailed } from '../../../../platform/http/problem/problem.js';
import type { AuthorizationCodeOauth, RemoteEntry } from '../../../catalog/catalog-entry.js';
import { remoteOf } from '../../../catalog/remote-template.js';
import { effectiveValue } from '../../../catalog/variable-value.js';
import { McpUnavailable } from '../../../processes/connection/mcp-errors.js';
import { secretsAmong } from '../../credentials/credential-changes.js';
import { CredentialsService } from '../../credentials/credentials.service.js';
import { CredentialSetsRepository } from '../../credential-sets/credential-sets.repository.js';
import { InstalledServersRepository } from '../../installed-servers.repository.js';
import { AuthorizationServersClient, type TokenIssuer } from '../authorization-servers.client.js';
import { SignInFailed } from '../oauth-failure.js';
import { whyNotOffered } from '../sign-in-demand.js';
import { AuthorizationCodeClient } from './authorization-code.client.js';
import { ClientIdentitiesService } from './client-identities.service.js';
import type { BegunSignInResponse } from './dto/begun-sign-in.response.js';
import { OauthSignInsRepository } from './oauth-sign-ins.repository.js';
import { SignInNotOffered, SignInUnavailable } from './sign-in.errors.js';

/** A server that offers a sign-in, with the values of the set that a person signs in for. */
interface Target {
  credentialSetId: string;
  entry: RemoteEntry;
  values: Record<string, string>;
}

/** Begins sign-ins of people at the authorization servers of remote servers (contract §3.7). */
@Injectable()
export class OauthSignInService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly sets: CredentialSetsRepository,
    private readonly credentials: CredentialsService,
    private readonly authorizationServers: AuthorizationServersClient,
    private readonly identities: ClientIdentitiesService,
    private readonly codes: AuthorizationCodeClient,
    private readonly signIns: OauthSignInsRepository,
    private readonly secrets: SecretRegister,
  ) {}

  /** @throws {NotFound} {SignInNotOffered} {SignInUnavailable} {MissingVariables} {ValidationFailed} */
  async begin(
    caller: UserPrincipal,
    serverId: string,
    name: string,
    returnTo: string | undefined,
  ): Promise<BegunSignInResponse> {
    const target = await this.targetOf(serverId, name);
    const path = pathOf(returnTo) ?? `/servers/${serverId}`;
    const oauth = oauthOf(target.entry);
    const { url: serverUrl } = remoteOf(target.entry, target.values);
    const issuer = await this.issuerOf(serverUrl, oauth.issuer ?? null);
    this.codes.refuseUnusable(issuer);
    const { credentialSetId } = target;
    const openClients = await this.signIns.openClients(credentialSetId);
    const values = effectiveValues(target);
    const client = await this.identities.clientAt(issuer.metadata, oauth, values, openClients);
    const secrets = await this.codes.secretsFor(issuer, client, oauth.scope ?? null);
    const state = randomBytes(32).toString('base64url');
    const url = await this.codes.authorizationUrl(secrets, state);
    const signIn = { credentialSetId, userId: caller.id, keyId: caller.keyId!, returnTo: path };
    try {
      const expiresAt = await this.signIns.insert(hashOfKey(state), signIn, secrets);
      return { authorizationUrl: url.href, expiresAt };
    } catch (error) {
      // Set, user or session were deleted meanwhile.
      throw isForeignKeyViolation(error) ? new NotFound() : error;
    }
  }

  /** A set that was revoked is as good as any: the sign-in is what ends that. */
  private async targetOf(serverId: string, name: string): Promise<Target> {
    const server = await this.servers.findById(serverId);
    const set = server && (await this.sets.find(server.id, name));
    const row = set && (await this.servers.findSealed(server.id, set.id));
    if (!row) throw new NotFound();
    const { entry } = row;
    const why = whyNotOffered(entry);
    if (why !== null || entry.transport === 'stdio') throw new SignInNotOffered(why ?? '');
    const values = this.credentials.open(set.id, row.sealed);
    this.secrets.set(set.id, secretsAmong([entry], values));
    return { credentialSetId: set.id, entry, values };
  }

  private async issuerOf(serverUrl: string, wanted: string | null): Promise<TokenIssuer> {
    try {
      return await this.authorizationServers.find(serverUrl, wanted);
    } catch (error) {
      if (error instanceof SignInFailed) throw new SignInUnavailable(error.why);
      throw error instanceof McpUnavailable ? new SignInUnavailable(error.reason) : error;
    }
  }
}

/** @throws {ValidationFailed} when it is not a path of the service */
function pathOf(returnTo: string | undefined): string | null {
  if (returnTo === undefined) return null;
  const path = ownPath(returnTo);
  if (path === '/' && returnTo !== '/')
    throw new ValidationFailed([{ path: 'returnTo', message: 'must be a path of this service' }]);
  return path;
}

/** An entry without `oauth` says nothing about the sign-in. */
function oauthOf({ manifest: { oauth } }: RemoteEntry): AuthorizationCodeOauth {
  return oauth?.grant === 'authorization_code' ? oauth : { grant: 'authorization_code' };
}

function effectiveValues({ entry, values }: Target): Record<string, string | null> {
  return Object.fromEntries(
    entry.environmentVariables.map((variable) => [variable.name, effectiveValue(variable, values)]),
  );
}
