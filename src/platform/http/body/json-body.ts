import type { IncomingMessage } from 'node:http';
import { markedText } from '../../json/exact-json.js';
import { scanJson } from './json-rules.js';
import { jsonMediaTypeError } from './media-type.js';
import { readBody, type BodyLimits } from './read-body.js';
import { Problem, ValidationFailed } from '../problem/problem.js';

/**
 * Reads and parses the JSON body of a request; a request without one gives `{}`.
 * @param limit in bytes (`BODY_MAX_BYTES`)
 * @param keepsDigits whether numbers that JavaScript would change become strings with marks
 * @throws Problem unsupported_media_type, payload_too_large, malformed_json, validation_failed, or what `hold` throws
 */
export async function readJsonBody(
  request: IncomingMessage,
  { limit, hold, keepsDigits }: Pick<BodyLimits, 'limit' | 'hold'> & { keepsDigits: boolean },
): Promise<unknown> {
  if (!hasBody(request)) return {};
  const mediaFault = jsonMediaTypeError(request.headers['content-type'], request.headers['content-encoding']);
  if (mediaFault) throw new Problem('unsupported_media_type', mediaFault);
  const text = decode(await collect(request, limit, hold));
  return text === '' ? {} : parse(keepsDigits ? markedText(text) : text);
}

function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return headers['content-length'] !== undefined && headers['content-length'] !== '0';
}

async function collect(request: IncomingMessage, limit: number, hold: BodyLimits['hold']): Promise<Buffer> {
  const body = await readBody(request, { limit, drain: limit, hold });
  if (body === null) throw new BodyTooLarge(limit);
  return body;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Problem('malformed_json', 'The body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  const fault = scanJson(text);
  if (fault) throw new ValidationFailed([fault]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('malformed_json', 'The body is not valid JSON; check quotes, commas and brackets.');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new ValidationFailed([{ path: '', message: 'the body must be a JSON object' }]);
  return value;
}

class BodyTooLarge extends Problem {
  constructor(limit: number) {
    // The rest of the body is not read, so the connection can't serve another request.
    super('payload_too_large', `A JSON body may have at most ${limit} bytes.`, {
      headers: { Connection: 'close' },
    });
  }
}
