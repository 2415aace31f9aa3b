import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { MayBeAbsent, toBoolean } from '../../platform/http/validation.pipe.js';
import {
  type Import,
  type ImportFormat,
  importFormats,
  type ImportState,
  importStates,
} from './import.entity.js';
import type { ListedImport } from './import.repository.js';

export class ExportQuery {
  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    description: 'Returns a tar with the lines as `export.ndjson` and the bytes of the attachments.',
  })
  @MayBeAbsent()
  @Transform(toBoolean)
  @IsBoolean()
  attachments: boolean = false;
}

export class ImportQuery {
  @ApiProperty({
    enum: importFormats,
    enumName: 'ImportFormat',
    default: 'awp',
    required: false,
    description: 'What the file is: an export of this service, or of another system.',
  })
  @MayBeAbsent()
  @IsIn(importFormats)
  format: ImportFormat = 'awp';
}

/** What an import could not take over as it is. */
export class ImportErrorResponse {
  @ApiProperty({
    type: 'integer',
    description:
      'The line of the file that the record begins in; 0 for what an archive has beside its lines.',
  })
  line!: number;
  /** @example "Blocks from beads:bd-2 to beads:bd-1 left out: This link would close a cycle of blocking." */
  message!: string;
}

/** Who has started an import, by the name at that time. */
export class ImportStarterResponse {
  id!: string;
  /** @example "Ada Lovelace" */
  name!: string;
}

/** An import and its report. */
export class ImportResponse {
  id!: string;
  projectId!: string;
  @ApiProperty({ enum: importFormats, enumName: 'ImportFormat' })
  format!: ImportFormat;
  @ApiProperty({ enum: importStates, enumName: 'ImportState' })
  state!: ImportState;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The objects of the file; null until it has been read once.',
  })
  total!: number | null;
  @ApiProperty({ type: 'integer', description: 'How many of them are done.' })
  done!: number;
  @ApiProperty({
    type: 'integer',
    description: 'How many of them, and of the labels that they need, were made.',
  })
  created!: number;
  @ApiProperty({
    type: 'integer',
    description: 'How many were there already and had changed at their source.',
  })
  updated!: number;
  @ApiProperty({ type: 'integer', description: 'How many were left out; `errors` says why.' })
  skipped!: number;
  @ApiProperty({ type: [ImportErrorResponse], description: 'The first 1,000, in the order of the work.' })
  errors!: ImportErrorResponse[];
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How often the file has something that has no place here, by what it is.',
    example: { estimated_minutes: 3 },
  })
  ignored!: Record<string, number>;
  @ApiProperty({ type: 'string', nullable: true, description: 'Why it failed as a whole.', example: null })
  failure!: string | null;
  startedBy!: ImportStarterResponse;
  createdAt!: Date;
  finishedAt!: Date | null;

  static from(row: Import): ImportResponse {
    return {
      ...pick(row, 'id', 'projectId', 'format', 'state', 'total', 'done', 'created', 'updated', 'skipped'),
      ...pick(row, 'errors', 'ignored', 'failure'),
      startedBy: { id: row.startedById, name: row.startedByName },
      ...pick(row, 'createdAt', 'finishedAt'),
    };
  }
}

/** An import in a list, without its report. */
export class ListedImportResponse extends OmitType(ImportResponse, ['errors', 'ignored'] as const) {
  static from(row: ListedImport): ListedImportResponse {
    return {
      ...pick(row, 'id', 'projectId', 'format', 'state', 'total', 'done', 'created', 'updated', 'skipped'),
      failure: row.failure,
      startedBy: { id: row.startedById, name: row.startedByName },
      ...pick(row, 'createdAt', 'finishedAt'),
    };
  }
}
