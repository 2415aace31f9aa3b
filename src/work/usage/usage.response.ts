import { ApiProperty } from '@nestjs/swagger';
import { UsageFiguresResponse } from '../../agents/usage-figures.response.js';
import type { UsageGroupRow } from './usage-evaluation.repository.js';

/** The usage of one agent, project, issue, model or day. */
export class UsageResponse extends UsageFiguresResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Id of the agent, project or issue; the model; the day. null: usage that belongs to none.',
    example: '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03',
  })
  key!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What to show for the key; null where the object was deleted.',
    example: 'Release notes writer',
  })
  label!: string | null;

  static from({ key, label, figures }: UsageGroupRow): UsageResponse {
    return { key, label, ...figures };
  }
}
