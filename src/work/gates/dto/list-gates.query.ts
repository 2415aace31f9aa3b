import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { PageQuery } from '../../../platform/http/pages/page.query.js';
import { gateKinds, gateStates, type GateKind, type GateState } from '../../issues/status/gate-state.js';

export class ListGatesQuery extends PageQuery {
  @ApiProperty({ enum: gateStates, enumName: 'GateState', required: false })
  @MayBeAbsent()
  @IsIn(gateStates)
  state?: GateState;

  @ApiProperty({ enum: gateKinds, enumName: 'GateKind', required: false })
  @MayBeAbsent()
  @IsIn(gateKinds)
  kind?: GateKind;

  /** Id or key of a project. */
  @MayBeAbsent()
  @IsString()
  projectId?: string;

  /** Id or key of an issue. */
  @MayBeAbsent()
  @IsString()
  issueId?: string;

  /** The agent whose work the gates concern. */
  @MayBeAbsent()
  @IsString()
  agentId?: string;
}
