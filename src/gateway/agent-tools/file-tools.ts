import { cursor, issueId, READS, taking, type ToolDefinition, WRITES } from './agent-tool.js';

/** The tools that list, read and add the files of issues. */
export const fileTools = {
  list_attachments: {
    title: 'List the files of an issue',
    description:
      'Lists the files that are attached to an issue, oldest first, without their bytes. Returns {attachments, nextCursor}. ' +
      'Pass nextCursor as cursor for the next page. Read a file with platform__read_attachment.',
    inputSchema: taking(
      {
        issueId,
        limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
        cursor,
      },
      'issueId',
    ),
    annotations: READS,
  },
  read_attachment: {
    title: 'Read a file',
    description:
      'Reads an attached file: a text in parts of at most 64 KiB, or an image of at most 1 MiB as an image. Returns ' +
      '{attachment, text, nextOffset}. Pass nextOffset as offset for the next part of a text; it is null at the end.',
    inputSchema: taking(
      {
        attachmentId: { type: 'string', description: 'Id of the file, as the list of attachments names it.' },
        offset: {
          type: 'integer',
          minimum: 0,
          default: 0,
          description: 'nextOffset of the previous result.',
        },
      },
      'attachmentId',
    ),
    annotations: READS,
  },
  add_attachment: {
    title: 'Attach a file to an issue',
    description:
      'Attaches a file to an issue, for instance a report or a patch that you made. Give its content as text, or as base64 ' +
      'where it is not text. Returns {attachment}. Files stay when the issue is resolved.',
    inputSchema: taking(
      {
        issueId,
        filename: { type: 'string', minLength: 1, description: 'Such as "report.md".' },
        contentType: {
          type: 'string',
          description:
            'Such as "text/markdown". text/plain by default for text, otherwise application/octet-stream.',
        },
        text: { type: 'string', description: 'The content of a text file.' },
        base64: { type: 'string', description: 'The content of any other file, in base64.' },
      },
      'issueId',
      'filename',
    ),
    annotations: WRITES,
  },
} satisfies Record<string, ToolDefinition>;
