import { Injectable } from '@nestjs/common';
import { verdictOn } from '../../../mcp/access/call-verdict.js';
import { KeyAuthentication } from '../../../platform/auth/key-authentication.js';
import type { Principal } from '../../../platform/auth/principal.js';
import { GatheredReads } from '../../../platform/database/gathered-reads.js';
import type { AdvertisedParts } from '../calls/advertised.js';
import type { KnownRight } from '../calls/exchange.js';
import { CallRightsRepository, type CallQuestion, type FoundRight } from './call-rights.repository.js';

/** A call that has come in: by whom, and what stands in its way. */
export interface CallRight extends KnownRight {
  caller: Principal;
}

/**
 * Who calls, whether it may, and for which issue: read from the database at every call, in one statement for all that
 * come in together. The same questions as `KeyAuthentication`, `ToolAccess` and `CallIssues` ask one by one.
 */
@Injectable()
export class CallRights {
  private readonly found = new GatheredReads<FoundRight>(async (asked) => {
    const found = await this.repository.find(asked.map((question) => JSON.parse(question) as CallQuestion));
    return new Map(found.flatMap((right, at) => (right ? [[asked[at]!, right]] : [])));
  });

  constructor(
    private readonly repository: CallRightsRepository,
    private readonly keys: KeyAuthentication,
  ) {}

  /**
   * @param parts of the tool's name; null for one that no server's tool is called
   * @throws {Unauthenticated}
   */
  async read(key: string, parts: AdvertisedParts | null): Promise<CallRight> {
    const question: CallQuestion = {
      keyHash: this.keys.hashOf(key),
      slug: parts?.slug ?? '',
      tool: parts?.name ?? '',
    };
    const found = await this.found.read(JSON.stringify(question));
    const caller = await this.keys.admit(found);
    return { caller, verdict: verdictOn(found?.call ?? null), issueId: found?.issueId ?? null };
  }
}
