import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsString, ValidateIf, ValidateNested } from 'class-validator';
import { roles, type Role } from '../../../platform/auth/roles.js';

export class MemberEntry {
  /** This or agentId. */
  @ApiProperty({ required: false, example: '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01' })
  @ValidateIf((entry: MemberEntry) => entry.agentId === undefined)
  @IsString({ message: 'must be given, or agentId' })
  userId?: string;

  @ApiProperty({ required: false })
  @ValidateIf((entry: MemberEntry) => entry.agentId !== undefined)
  @IsString()
  agentId?: string;

  @ApiProperty({ enum: roles, enumName: 'Role', nullable: true, description: 'null removes the member.', example: 'Editor' })
  @ValidateIf((entry: MemberEntry) => entry.role !== null)
  @IsIn(roles)
  role!: Role | null;
}

export class SetMembersRequest {
  @ApiProperty({ type: [MemberEntry] })
  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => MemberEntry)
  entries!: MemberEntry[];
}
