import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';

export class CheckEntryRequest {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The content of the file of an entry.',
    example: {
      id: 'reports',
      name: 'Reports',
      description: 'Search the reports of this company.',
      category: 'search',
      transport: 'http',
      runtime: 'none',
      version: '1',
      manifest: { url: 'https://reports.example.com/mcp' },
      environmentVariables: [],
    },
  })
  @IsObject({ message: 'must be an object: the content of the file of an entry' })
  entry!: Record<string, unknown>;
}
