import { ApiProperty } from '@nestjs/swagger';

/** The catalogue after it was read again. */
export class CatalogReloadResponse {
  @ApiProperty({ type: 'integer', description: 'How many entries the catalogue has now.', example: 40 })
  entries!: number;

  static from(entries: number): CatalogReloadResponse {
    return { entries };
  }
}
