import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { Refuses } from '../../../platform/http/refuses.decorator.js';

const content = { '*/*': { schema: { type: 'string', format: 'binary' } } };

/** Documents the answers of a download. */
export const AnswersWithBytes = () =>
  applyDecorators(
    ApiHeader({
      name: 'Range',
      required: false,
      description: 'One range of bytes, as in `bytes=0-99`; of several the whole file is given.',
    }),
    ApiHeader({
      name: 'If-Range',
      required: false,
      description: 'The ETag that the range is meant for; for other bytes the whole file is given.',
    }),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of bytes that the caller has.',
    }),
    ApiResponse({
      status: 200,
      description: 'All bytes, in the content type that the uploader gave.',
      content,
    }),
    ApiResponse({ status: 206, description: 'The range that was asked for.', content }),
    ApiResponse({ status: 304, description: 'The caller has these bytes.' }),
    Refuses('range_not_satisfiable'),
  );
