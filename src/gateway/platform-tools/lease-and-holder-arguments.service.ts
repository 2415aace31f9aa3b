import { Injectable } from '@nestjs/common';
import type { AgentPrincipal, LeasePrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Problem } from '../../platform/http/problem.js';
import { IssueAccessService } from '../../work/issue-status/issue-access.service.js';
import { IssueLeasesService } from '../../work/leases/lease-checks-and-renewals.service.js';
import type { LeaseHolder } from '../../work/leases/mcp-leases.repository.js';
import {
  type PlatformToolName,
  readsOthers,
  takesIssue,
  takesToken,
} from '../agent-tools/agent-tools.service.js';
import type { CallingSession } from '../calls/exchange.js';
import { McpLeasesService } from '../calls/mcp-leases.service.js';
import { argumentsAs, CallerArguments } from './arguments.js';

type Given = Record<string, unknown>;

/** Adds to the arguments of a platform tool what the key of a lease stands for: the issue and the token. */
@Injectable()
export class LeaseArgumentsService {
  constructor(private readonly access: IssueAccessService) {}

  /** @throws {Problem} for another issue than that of the lease */
  async bind(agent: LeasePrincipal, tool: PlatformToolName, given: object): Promise<Given> {
    const { issueId, token } = agent.lease;
    const { issueId: named, ...rest } = given as Given;
    if ((named ?? issueId) !== issueId && takesIssue(tool) && !readsOthers(tool))
      await this.refuseOther(agent, named);
    return {
      ...rest,
      ...(takesIssue(tool) && { issueId: readsOthers(tool) ? (named ?? issueId) : issueId }),
      ...(takesToken(tool) && { leaseToken: token }),
    };
  }

  private async refuseOther(agent: LeasePrincipal, named: unknown): Promise<void> {
    const issue = await this.access.read(agent, agent.lease.issueId);
    if (named === issue.key) return;
    throw new Problem(
      'forbidden',
      `This key belongs to your work on ${issue.key}: leave issueId out. Report on other issues in a comment.`,
    );
  }
}

/** The holder of a call, and the arguments that are left for the tool. */
interface Call {
  holder: LeaseHolder | null;
  given: Given;
}

/** Reads from a call of the agent's own key who makes it, and renews the leases of that caller (contract §7.4). */
@Injectable()
export class CallingHolderService {
  constructor(
    private readonly holding: McpLeasesService,
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
