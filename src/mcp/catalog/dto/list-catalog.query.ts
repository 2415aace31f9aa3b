import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/presence.decorators.js';
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

  /** Words that must all occur in id, name, description or publisher. */
  @MayBeAbsent()
  @IsString()
  @MaxLength(200)
  q?: string;
}
