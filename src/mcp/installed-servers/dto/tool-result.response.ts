import { ApiProperty } from '@nestjs/swagger';

/** What a tool answered, the server's own secrets masked. */
export class ToolResultResponse {
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Content blocks of MCP.',
    example: [{ type: 'text', text: 'Hello' }],
  })
  content!: Record<string, unknown>[];
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  structuredContent!: Record<string, unknown> | null;
  /** The tool failed, or the server gave no answer. */
  isError!: boolean;

  static from({ content, structuredContent = null, isError }: Record<string, unknown>): ToolResultResponse {
    const fields = {
      content: Array.isArray(content) ? content : [],
      structuredContent,
      isError: isError === true,
    };
    return Object.assign(new ToolResultResponse(), fields);
  }
}
