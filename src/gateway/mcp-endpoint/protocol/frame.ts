import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { nestsDeeperThan } from './frame-depth.js';

/** Largest JSON-RPC frame in bytes (contract §1). */
export const FRAME_LIMIT = 4 * 1024 * 1024;

/** An invalid JSON-RPC frame. The response is an HTTP status with a JSON-RPC error, as the transport specifies. */
export class FrameError extends Error {
  constructor(
    readonly status: 400 | 413 | 415,
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Returns the JSON of a POST.
 * @throws {FrameError}
 */
export function readFrame(request: IncomingMessage): Promise<unknown> {
  const begun = read.get(request);
  if (begun) return begun;
  const frame = readAnew(request);
  // A caller that starts the read may not need the body. A later caller gets the same promise and its error.
  frame.catch(() => undefined);
  read.set(request, frame);
  return frame;
}

/** The bodies that were read. A body can be read once and is used twice: by the handler of tools/call and by the route. */
const read = new WeakMap<IncomingMessage, Promise<unknown>>();

async function readAnew(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  if (!isJsonContentType(type))
    throw new FrameError(415, SERVER_ERROR, 'Content-Type must be application/json');
  if (encoding !== undefined && encoding !== 'identity')
    throw new FrameError(415, SERVER_ERROR, 'The body must not be compressed');
  return parse(await collect(request));
}

function parse(bytes: Buffer): unknown {
  try {
    const text = UTF8.decode(bytes);
    if (nestsDeeperThan(text, DEEPEST))
      throw new FrameError(400, INVALID_REQUEST, `A frame may nest at most ${DEEPEST} levels deep`);
    return JSON.parse(text) as unknown;
  } catch (fault) {
    if (fault instanceof FrameError) throw fault;
    throw new FrameError(400, PARSE_ERROR, 'Parse error: the body is not valid JSON in UTF-8');
  }
}

/** Reads a body that is too large to its end and drops it: a client that is cut off while it sends sees no response. */
async function collect(request: IncomingMessage): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  const { chunks, size } = announced > PATIENCE ? { chunks: [], size: 0 } : await chunksOf(request);
  if (Math.max(size, announced) > FRAME_LIMIT)
    throw new FrameError(413, SERVER_ERROR, `A frame may have at most ${FRAME_LIMIT} bytes`);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}

/** Uses events, because an iterator over a stream costs more than all the rest of a small frame. */
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
    request.once('close', () => reject(new Error('The client disconnected while it sent the body.')));
    request.once('error', reject);
  });
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The most bytes that are read of a body that is too large. */
const PATIENCE = 4 * FRAME_LIMIT;
const DEEPEST = 1_000;
const INVALID_REQUEST = -32_600;
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;
