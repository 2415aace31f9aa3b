import { ApiProperty } from '@nestjs/swagger';

/** The catalogue after it was read anew. */
export class CatalogReloadResponse {
  @ApiProperty({ type: 'integer', description: 'How many entries it has now.', example: 40 })
  entries!: number;

  static from(entries: number): CatalogReloadResponse {
    return Object.assign(new CatalogReloadResponse(), { entries });
  }
}
