import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import type { LeaseHolder } from '../../../work/issues/leases/held-leases.repository.js';
import { IssueLeasesService } from '../../../work/issues/leases/issue-leases.service.js';
import { takesToken } from '../../agent-tools/lease-tools.js';
import type { PlatformToolName } from '../../agent-tools/platform-tools.js';
import type { CallingSession } from '../calls/exchange.js';
import { LeaseHoldingService } from '../leases/lease-holding.service.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { CallerArguments } from './arguments/caller-arguments.js';

type Given = Record<string, unknown>;

/** The holder of a call, and the arguments that are left for the tool. */
interface Call {
  holder: LeaseHolder | null;
  given: Given;
}

/** Reads from a call of the agent's own key who makes it, and renews the leases of that caller (contract §7.4). */
@Injectable()
export class CallingHolderService {
  constructor(
    private readonly holding: LeaseHoldingService,
    private readonly leases: IssueLeasesService,
  ) {}

  /** @throws {ValidationFailed} */
  async read(
    agent: AgentPrincipal,
    tool: PlatformToolName,
    { worker: name, ...given }: Given,
    session: CallingSession | undefined,
  ): Promise<Call> {
    const { leaseToken: token, ...others } = given;
    const usesToken = takesToken(tool);
    const { worker = null, leaseToken = null } = await argumentsAs(CallerArguments, {
      worker: name,
      ...(!usesToken && { leaseToken: token }),
    });
    const holder = this.holding.holderOf(session, worker);
    const issueId = typeof given['issueId'] === 'string' ? given['issueId'] : null;
    if (holder && (worker !== null || session?.holdsLeases)) await this.holding.renew(agent, holder, issueId);
    if (leaseToken !== null && issueId !== null && !agent.disabled)
      await this.renewNamed(agent.id, issueId, leaseToken);
    return { holder, given: usesToken ? given : others };
  }

  /** A token that is no longer good changes nothing: these tools do not need it. */
  private async renewNamed(agentId: string, reference: string, token: number): Promise<void> {
    const issueId = (await this.leases.idsOf(agentId, [reference])).get(reference);
    if (issueId !== undefined) await this.leases.renew(agentId, [{ issueId, token }]);
  }
}
