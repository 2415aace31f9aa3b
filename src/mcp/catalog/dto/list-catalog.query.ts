import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsString, MaxLength } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { toBoolean } from '../../../platform/http/pages/page.query.js';
import {
  categories,
  runtimes,
  transports,
  type Category,
  type Runtime,
  type Transport,
} from '../catalog-entry.js';

export class ListCatalogQuery {
  @ApiProperty({ enum: categories, required: false })
  @MayBeAbsent()
  @IsIn(categories)
  category?: Category;

  @ApiProperty({ enum: transports, required: false })
  @MayBeAbsent()
  @IsIn(transports)
  transport?: Transport;

  @ApiProperty({ enum: runtimes, required: false })
  @MayBeAbsent()
  @IsIn(runtimes)
  runtime?: Runtime;

  /** Only the entries that this host can install now, or only the others. */
  @ApiProperty({ type: 'boolean', required: false })
  @MayBeAbsent()
  @Transform(toBoolean)
  @IsBoolean({ message: 'installable must be true or false' })
  installable?: boolean;

  /** Words that must all occur in id, name, description or publisher. */
  @MayBeAbsent()
  @IsString()
  @MaxLength(200)
  q?: string;
}
