import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { nestsDeeperThan } from './frame-depth.js';

/** Largest JSON-RPC frame in bytes (spec §1). */
export const FRAME_LIMIT = 4 * 1024 * 1024;

/** A body that is no JSON-RPC frame; answered as the transport asks for: an HTTP status with a JSON-RPC error. */
export class FrameFault extends Error {
  constructor(
    readonly status: 400 | 413 | 415,
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The JSON of a POST.
 * @throws {FrameFault}
 */
export function readFrame(request: IncomingMessage): Promise<unknown> {
  const begun = read.get(request);
  if (begun) return begun;
  const frame = readAnew(request);
  // Whoever begins to read may find out that the body is of no interest.
  frame.catch(() => undefined);
  read.set(request, frame);
  return frame;
}

/** A body can be read once, but is looked at twice: first whether it is a plain call. */
const read = new WeakMap<IncomingMessage, Promise<unknown>>();

async function readAnew(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  if (!isJsonContentType(type))
    throw new FrameFault(415, SERVER_ERROR, 'Content-Type must be application/json');
  if (encoding !== undefined && encoding !== 'identity')
    throw new FrameFault(415, SERVER_ERROR, 'The body must not be compressed');
  return parse(await collect(request));
}

function parse(bytes: Buffer): unknown {
  try {
    const text = UTF8.decode(bytes);
    if (nestsDeeperThan(text, DEEPEST))
      throw new FrameFault(400, INVALID_REQUEST, `A frame may nest at most ${DEEPEST} levels deep`);
    return JSON.parse(text) as unknown;
  } catch (fault) {
    if (fault instanceof FrameFault) throw fault;
    throw new FrameFault(400, PARSE_ERROR, 'Parse error: the body is not valid JSON in UTF-8');
  }
}

/** A body that is too large is read to its end and dropped: who is cut off while it sends never sees the answer. */
async function collect(request: IncomingMessage): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  const { chunks, size } = announced > PATIENCE ? { chunks: [], size: 0 } : await chunksOf(request);
  if (Math.max(size, announced) > FRAME_LIMIT)
    throw new FrameFault(413, SERVER_ERROR, `A frame may have at most ${FRAME_LIMIT} bytes`);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}

/** By events: an iterator over a stream costs more than all the rest of a small frame. */
function chunksOf(request: IncomingMessage): Promise<{ chunks: Buffer[]; size: number }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= FRAME_LIMIT) chunks.push(chunk);
      if (size <= PATIENCE) return;
      request.off('data', take).pause();
      resolve({ chunks, size });
    };
    request.on('data', take);
    request.once('end', () => resolve({ chunks, size }));
    request.once('close', () => reject(new Error('The client went away while it sent.')));
    request.once('error', reject);
  });
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Up to so many bytes of a body are read that is too large. */
const PATIENCE = 4 * FRAME_LIMIT;
const DEEPEST = 1_000;
const INVALID_REQUEST = -32_600;
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;
