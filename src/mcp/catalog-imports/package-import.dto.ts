import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsString, Matches, MaxLength } from 'class-validator';
import { MayBeAbsent, toBoolean } from '../../platform/http/validation.pipe.js';
import { categories, type Category } from '../catalog/catalog-entry.js';
import { CatalogEntryDetailResponse } from '../catalog/catalog.dto.js';

const PACKAGE = /^(npm:)?(@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*(@[a-z0-9][a-z0-9.+_-]*)?$/i;

export class ImportPackageRequest {
  /**
   * A package of npm, alone or with a version behind an `@`.
   * @example "@acme/mcp@1.4.2"
   */
  @IsString()
  @MaxLength(300)
  @Matches(PACKAGE, { message: 'must be the name of a package of npm, such as @acme/mcp or acme-mcp@1.4.2' })
  package!: string;

  @ApiProperty({ enum: categories, required: false, default: 'dev' })
  @MayBeAbsent()
  @IsIn(categories)
  category: Category = 'dev';

  /**
   * The hosts that the server may reach; an empty list means no host. Absent: every public one.
   * @example ["api.acme.example"]
   */
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  hosts?: string[];

  /** Whether the caller has reviewed the package, which makes the entry `verified` by their name. */
  @ApiProperty({ type: 'boolean', required: false, default: false })
  @MayBeAbsent()
  @IsBoolean()
  reviewed: boolean = false;

  /** Whether the entry may take the place of an earlier import of the package, with what people changed in its file. */
  @ApiProperty({ type: 'boolean', required: false, default: false })
  @MayBeAbsent()
  @IsBoolean()
  replace: boolean = false;
}

export class ImportPackageQuery {
  /** Only looks at the package: nothing is stored. */
  @ApiProperty({ type: 'boolean', required: false, default: false })
  @MayBeAbsent()
  @Transform(toBoolean)
  @IsBoolean({ message: 'dryRun must be true or false' })
  dryRun: boolean = false;
}

/** The entry that a package makes, and what a person has to know about it. */
export class ImportedPackageResponse {
  dryRun!: boolean;
  entry!: CatalogEntryDetailResponse;
  @ApiProperty({
    type: [String],
    description: 'What the entry leaves out, as sentences.',
    example: ['Its README names NODE_OPTIONS, which controls a runtime. It is left out.'],
  })
  notes!: string[];
}
