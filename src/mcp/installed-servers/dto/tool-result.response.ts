import { ApiProperty } from '@nestjs/swagger';

/** The result of a tool call, with the server's own secrets masked. */
export class ToolResultResponse {
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'MCP content blocks.',
    example: [{ type: 'text', text: 'Hello' }],
  })
  content!: Record<string, unknown>[];
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  structuredContent!: Record<string, unknown> | null;
  /** Whether the tool failed or the server sent no response. */
  isError!: boolean;

  static from({ content, structuredContent = null, isError }: Record<string, unknown>): ToolResultResponse {
    return {
      content: Array.isArray(content) ? content : [],
      structuredContent: structuredContent as Record<string, unknown> | null,
      isError: isError === true,
    };
  }
}
