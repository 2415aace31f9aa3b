import { Injectable } from '@nestjs/common';
import { ConnectResponse } from '../../agents/agent.dto.js';
import { LeaseKeysService } from '../../platform/authentication/lease-keys.service.js';
import { PublicAddress } from '../../platform/http/origins.js';

/** Returns how an MCP client connects for one lease of an agent. */
export type ConnectFor = (issueId: string, token: number) => ConnectResponse;

/** Says how the process that works on an issue reaches the tools, without the agent's own key (contract §7.9). */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly leaseKeys: LeaseKeysService,
    private readonly address: PublicAddress,
  ) {}

  of(agentId: string): ConnectFor {
    return (issueId, token) => ({
      url: `${this.address.url}/mcp`,
      headers: { Authorization: `Bearer ${this.leaseKeys.keyOf({ agentId, issueId, token })}` },
    });
  }
}
