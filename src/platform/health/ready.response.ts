import { ApiProperty } from '@nestjs/swagger';

export class LiveResponse {
  @ApiProperty({ enum: ['ok'] })
  status!: 'ok';
}

/** Whether the service can work, with the result of each check. */
export class ReadyResponse {
  @ApiProperty({ enum: ['ok', 'unavailable'] })
  status!: 'ok' | 'unavailable';
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { database: 'ok', keyRing: 'ok', sandbox: 'bubblewrap' },
  })
  checks!: Record<string, string>;
}
