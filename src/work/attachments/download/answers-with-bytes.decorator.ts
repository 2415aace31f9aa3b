import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { Refuses } from '../../../platform/http/problem/refuses.decorator.js';

const header = (description: string) => ({ description, schema: { type: 'string' as const } });
const headers = {
  ETag: header('The SHA-256 of the whole file, for If-Range and If-None-Match.'),
  'Content-Disposition': header('The name of the file; `inline` for images only.'),
  'Accept-Ranges': header('`bytes`'),
};
const content = { '*/*': { schema: { type: 'string', format: 'binary' } } };

/** Documents the responses of a download. */
export const AnswersWithBytes = () =>
  applyDecorators(
    ApiHeader({
      name: 'Range',
      required: false,
      description: 'One range of bytes, as in `bytes=0-99`; for several ranges the whole file is returned.',
    }),
    ApiHeader({
      name: 'If-Range',
      required: false,
      description:
        'The ETag that the range is meant for; if the file has another ETag, the whole file is returned.',
    }),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of the bytes that the caller has.',
    }),
    ApiResponse({
      status: 200,
      description: 'All bytes, in the content type that the uploader named.',
      content,
      headers,
    }),
    ApiResponse({
      status: 206,
      description: 'The requested range.',
      content,
      headers: { ...headers, 'Content-Range': header('As in `bytes 0-99/1234`.') },
    }),
    ApiResponse({ status: 304, description: 'The caller has these bytes.' }),
    Refuses('range_not_satisfiable', 'attachment_bytes_missing'),
  );
