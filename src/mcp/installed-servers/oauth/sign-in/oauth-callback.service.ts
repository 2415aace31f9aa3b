import { Injectable } from '@nestjs/common';
import { hashOfKey } from '../../../../platform/auth/keys/api-key-format.js';
import { actorOf, type UserPrincipal } from '../../../../platform/auth/principal.js';
import { isAtLeast } from '../../../../platform/auth/roles.js';
import { currentOrigin } from '../../../../platform/journal/journal-context.js';
import { AuthorizationCodeClient, type BrowserAnswer } from './authorization-code.client.js';
import { GrantRevocationsService } from '../grant-revocations.service.js';
import { ClientIdentitiesService } from './client-identities.service.js';
import { OauthSignInsRepository, type OpenSignIn } from './oauth-sign-ins.repository.js';
import { SignedInGrantsService } from './signed-in-grants.service.js';
import { SignInRejectionsService } from './sign-in-rejections.service.js';
import { SignInRejected, type SignInOutcome } from './sign-in.errors.js';

/** The page for a browser whose sign-in is not known. */
const SERVERS = '/servers';

/** Ends sign-ins of people at the authorization servers of remote servers (contract §3.7). */
@Injectable()
export class OauthCallbackService {
  constructor(
    private readonly signIns: OauthSignInsRepository,
    private readonly codes: AuthorizationCodeClient,
    private readonly identities: ClientIdentitiesService,
    private readonly grants: SignedInGrantsService,
    private readonly rejections: SignInRejectionsService,
    private readonly revocations: GrantRevocationsService,
  ) {}

  /**
   * Takes the answer of an authorization server, whatever it is, and returns the path that the browser goes to.
   * @param caller the user of the browser's session; null: it has none
   */
  async complete(answer: BrowserAnswer, caller: UserPrincipal | null): Promise<string> {
    const origin = currentOrigin();
    if (origin && caller) origin.actor = actorOf(caller);
    const state = answer.query.get('state');
    const open = state === null || caller === null ? null : await this.take(state, caller);
    try {
      if (open === null) throw new SignInRejected('expired');
      await this.signIn(answer, state!, open, caller!);
      return pageOf(open, 'done');
    } catch (error) {
      if (!(error instanceof SignInRejected)) throw error;
      await this.rejections.record(error, open);
      return pageOf(open, error.outcome);
    }
  }

  private take(state: string, { id, sessionId }: UserPrincipal): Promise<OpenSignIn | null> {
    return this.signIns.take(hashOfKey(state), id, sessionId!);
  }

  private async signIn(
    answer: BrowserAnswer,
    state: string,
    open: OpenSignIn,
    caller: UserPrincipal,
  ): Promise<void> {
    if (!isAtLeast(caller.role, 'Admin')) throw new SignInRejected('forbidden');
    try {
      const granted = await this.codes.redeem(answer, state, open);
      await this.grants.store(open, granted, caller).catch((error: unknown) => {
        this.revocations.revokeLate({ ...open, refreshToken: granted.refreshToken });
        throw error;
      });
    } catch (error) {
      const isUnknownClient = error instanceof SignInRejected && UNKNOWN_CLIENT.has(error.error ?? '');
      if (isUnknownClient) await this.identities.forget(open.metadata.issuer, open.client);
      throw error;
    }
  }
}

const UNKNOWN_CLIENT = new Set(['invalid_client', 'unauthorized_client']);

function pageOf(open: OpenSignIn | null, signIn: SignInOutcome): string {
  const url = new URL(open?.returnTo ?? SERVERS, 'http://service.invalid');
  url.searchParams.set('signIn', signIn);
  return url.pathname + url.search + url.hash;
}
