import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { pick } from '../platform/http/pick.js';
import { IsName, IsText } from '../platform/http/text-and-instant-rules.js';
import { MayBeAbsent, MayBeNull } from '../platform/http/validation.pipe.js';
import { CreateApiKeyRequest } from '../platform/users/user-and-api-key.dto.js';
import {
  type AgentReason,
  agentReasons,
  type AgentWhy,
  agentWhyOf,
} from './agent-failures-over-budget-and-why.service.js';
import type { Halt } from './agent.entity.js';
import type { AgentRow, SeenAgentRow } from './agent.repository.js';
import { RecentUsageResponse } from './usage-figures.response.js';

export class UpdateAgentRequest {
  /** @example "Release notes writer" */
  @MayBeAbsent()
  @IsName()
  name?: string;

  /** @example "Writes release notes from merged work." */
  @MayBeAbsent()
  @IsText({ min: 0, max: 65_536, unit: 'bytes' })
  description?: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 1000, required: false, example: 4 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(1000)
  maxConcurrentIssues?: number;

  /** A disabled agent is given neither work nor tools. */
  @MayBeAbsent()
  @IsBoolean()
  disabled?: boolean;

  /** With its own key the agent uses the platform's tools only; those of servers need the key of a lease. */
  @MayBeAbsent()
  @IsBoolean()
  toolsRequireLease?: boolean;
}

/** As a user's key, but for the role: an agent has none to narrow. */
export class CreateAgentKeyRequest extends OmitType(CreateApiKeyRequest, ['role'] as const) {}

export class CreateAgentRequest {
  /** @example "Release notes writer" */
  @IsName()
  name!: string;

  /** @example "Writes release notes from merged work." */
  @MayBeAbsent()
  @IsText({ min: 0, max: 65_536, unit: 'bytes' })
  description?: string;

  /** How many issues the agent may work on at a time. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 1000, default: 10, required: false })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(1000)
  maxConcurrentIssues?: number;

  /** With its own key the agent uses the platform's tools only; those of servers need the key of a lease. */
  @MayBeAbsent()
  @IsBoolean()
  toolsRequireLease?: boolean;
}

/** Why a worker of the agent takes no more work until a person has acted, as it reports with its heartbeats. */
export class AgentFailureResponse {
  /** @example writer-1 */
  worker!: string;
  /** @example "The agent ended with code 1." */
  reason!: string;
  since!: Date;
}

/** A software agent. */
export class AgentResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
  id!: string;
  /** @example "Release notes writer" */
  name!: string;
  description!: string;
  @ApiProperty({ type: 'integer', example: 10 })
  maxConcurrentIssues!: number;
  disabled!: boolean;
  /** With its own key the agent uses the platform's tools only; those of servers need the key of a lease. */
  toolsRequireLease!: boolean;
  lastHeartbeatAt!: Date | null;
  @ApiProperty({ type: 'integer', description: 'How many issues the agent works on now.', example: 0 })
  activeIssues!: number;
  @ApiProperty({
    type: AgentFailureResponse,
    nullable: true,
    description: 'Why a worker of the agent takes no more work; null when none reports that.',
  })
  failing!: AgentFailureResponse | null;
  usage!: RecentUsageResponse;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: AgentRow): AgentResponse {
    // Written out and not picked: each heartbeat makes one, and an object put together from parts takes 15 µs more.
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      maxConcurrentIssues: row.maxConcurrentIssues,
      disabled: row.disabled,
      toolsRequireLease: row.toolsRequireLease,
      lastHeartbeatAt: row.lastHeartbeatAt,
      activeIssues: row.activeIssues,
      failing: row.failing && { ...row.failing, since: new Date(row.failing.since) },
      usage: row.usage,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    };
  }
}

/** Why an agent gets no more work, or that it gets some. */
export class AgentWhyResponse implements AgentWhy {
  @ApiProperty({ enum: agentReasons, enumName: 'AgentReason' })
  reason!: AgentReason;
  /** @example "It takes work on its next heartbeat." */
  sentence!: string;
}

/** An agent, and how it is. */
export class SeenAgentResponse extends AgentResponse {
  why!: AgentWhyResponse;

  static ofSeen(row: SeenAgentRow): SeenAgentResponse {
    return { ...AgentResponse.from(row), why: agentWhyOf(row) };
  }
}

/** How an MCP client connects as the agent. */
export class ConnectResponse {
  /** @example http://127.0.0.1:3000/mcp */
  url!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { Authorization: 'Bearer awp_a_…' },
  })
  headers!: Record<string, string>;
}

/** A new agent with its first key. No other response contains the key. */
export class NewAgentResponse extends SeenAgentResponse {
  /** @example awp_a_0123456789012345678901234567890123456789012abcdef */
  key!: string;
  connect!: ConnectResponse;

  static of(row: SeenAgentRow, key: string, url: string): NewAgentResponse {
    const connect = { url, headers: { Authorization: `Bearer ${key}` } };
    return { ...SeenAgentResponse.ofSeen(row), key, connect };
  }
}

export class SetHaltRequest {
  @IsBoolean()
  halted!: boolean;

  /** @example "Rotating all credentials." */
  @MayBeNull()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  reason?: string | null;
}

/** Whether all agents are halted. */
export class HaltResponse {
  halted!: boolean;
  /** @example "Rotating all credentials." */
  reason!: string | null;

  static from(halt: Halt): HaltResponse {
    return pick(halt, 'halted', 'reason');
  }
}
