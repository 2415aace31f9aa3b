import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsString,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { codePointsIn, IsText, textError } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent, MayBeNull } from '../../platform/http/validation.pipe.js';
import { type ApproverRole, approverRoles, type AskedTools } from './access.entities.js';
import { askedTools } from './access.response.js';

const MOST_NAMES = 2000;
const LONGEST_NAME = 1024;

/** Accepts `"writes"` or a list of names of tools. */
export function IsAskedTools(): PropertyDecorator {
  const check = ValidateBy({
    name: 'isAskedTools',
    validator: {
      validate: isAskedTools,
      defaultMessage: () => `must be "writes", null, or at most ${MOST_NAMES} names of tools`,
    },
  });
  return (target, property) => check(target, property as string);
}

function isAskedTools(value: unknown): value is AskedTools {
  if (value === 'writes') return true;
  return Array.isArray(value) && value.length <= MOST_NAMES && value.every(isToolName);
}

function isToolName(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value !== '' &&
    codePointsIn(value) <= LONGEST_NAME &&
    textError(value) === null
  );
}

abstract class AccessChange {
  /** true grants the server. false takes the grant away and refuses the server, also where a profile gives it. */
  @IsBoolean()
  granted!: boolean;

  /** With `granted: false`: false leaves the server to the profiles of the agent. Default: true. */
  @MayBeAbsent()
  @IsBoolean()
  refused?: boolean;

  @ApiProperty({
    type: [String],
    nullable: true,
    required: false,
    description:
      'Names of the tools that the grant is narrowed to; null grants all approved tools; absent keeps what is set.',
    example: null,
  })
  @MayBeNull()
  @IsArray()
  @ArrayMaxSize(2000)
  @IsText({ min: 1, max: 1024, unit: 'codePoints' }, { each: true })
  tools?: string[] | null;

  @ApiProperty({ ...askedTools, required: false, example: 'writes' })
  @MayBeNull()
  @IsAskedTools()
  ask?: AskedTools;

  @ApiProperty({
    enum: approverRoles,
    required: false,
    description: 'The least role in the project of the issue that approves a call; absent keeps what is set.',
  })
  @MayBeAbsent()
  @IsIn(approverRoles)
  approverRole?: ApproverRole;

  /**
   * The name of a credential set of the server; absent keeps what is set, which is `default` for a new grant.
   * @example team-a
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 40, unit: 'codePoints' })
  credentialSet?: string;
}

export class AgentAccessEntry extends AccessChange {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
  @IsString()
  agentId!: string;
}

export class ServerAccessEntry extends AccessChange {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  @IsString()
  serverId!: string;
}

export class PairAccessEntry extends ServerAccessEntry {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
  @IsString()
  agentId!: string;
}

export class SetAccessRequest {
  @ApiProperty({ type: [PairAccessEntry] })
  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => PairAccessEntry)
  entries!: PairAccessEntry[];
}

export class SetServerAccessRequest {
  @ApiProperty({ type: [AgentAccessEntry] })
  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => AgentAccessEntry)
  entries!: AgentAccessEntry[];
}

export class SetAgentAccessRequest {
  @ApiProperty({ type: [ServerAccessEntry] })
  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => ServerAccessEntry)
  entries!: ServerAccessEntry[];
}
