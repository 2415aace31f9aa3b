import { once } from 'node:events';
import type { Socket } from 'node:net';

/** What a client of the proxy asks for; `accept` and `refuse` answer it in its protocol. */
export interface ProxyRequest {
  host: string;
  port: number;
  accept: () => void;
  refuse: (reason: string) => void;
  /** Bytes for the target that have arrived already, or that begin a rewritten request. */
  first: Buffer;
}

const MOST_HEAD_BYTES = 16_384;

/** Reads the request of a client that speaks SOCKS 5 or HTTP (CONNECT, or an absolute address); null for others. */
export async function readProxyRequest(socket: Socket): Promise<ProxyRequest | null> {
  const first = await nextChunk(socket);
  if (first === null) return null;
  return first[0] === 5 ? readSocks(socket, first) : readHttp(socket, first);
}

async function readSocks(socket: Socket, greeting: Buffer): Promise<ProxyRequest | null> {
  socket.write(Buffer.from([5, 0]));
  let bytes = greeting.subarray(2 + (greeting[1] ?? 0));
  for (;;) {
    const request = socksTarget(bytes);
    if (request === 'invalid' || bytes.length > 300) return null;
    if (request) {
      const reply = (code: number) => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
      return { ...request, accept: () => socket.write(reply(0)), refuse: () => socket.end(reply(2)) };
    }
    const more = await nextChunk(socket);
    if (more === null) return null;
    bytes = Buffer.concat([bytes, more]);
  }
}

function socksTarget(bytes: Buffer): { host: string; port: number; first: Buffer } | 'invalid' | null {
  if (bytes.length < 5) return null;
  const [version, command, , kind] = bytes;
  if (version !== 5 || command !== 1 || (kind !== 1 && kind !== 3)) return 'invalid';
  const start = kind === 3 ? 5 : 4;
  const end = start + (kind === 3 ? bytes[4]! : 4);
  if (bytes.length < end + 2) return null;
  const host = kind === 3 ? bytes.toString('latin1', start, end) : [...bytes.subarray(start, end)].join('.');
  return { host, port: bytes.readUInt16BE(end), first: bytes.subarray(end + 2) };
}

async function readHttp(socket: Socket, start: Buffer): Promise<ProxyRequest | null> {
  let bytes = start;
  while (!bytes.includes('\r\n\r\n')) {
    const more = bytes.length < MOST_HEAD_BYTES ? await nextChunk(socket) : null;
    if (more === null) return null;
    bytes = Buffer.concat([bytes, more]);
  }
  const end = bytes.indexOf('\r\n\r\n') + 4;
  const [line = '', ...headers] = bytes.toString('latin1', 0, end - 4).split('\r\n');
  const [method = '', address = ''] = line.split(' ');
  const refuse = (reason: string): void =>
    void socket.end(
      `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${reason}\n`,
    );
  const connects = method === 'CONNECT';
  const url = URL.canParse(connects ? `http://${address}` : address)
    ? new URL(connects ? `http://${address}` : address)
    : null;
  if (url?.protocol !== 'http:') return null;
  const target = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80), refuse };
  if (connects)
    return { ...target, first: bytes.subarray(end), accept: () => socket.write('HTTP/1.1 200 OK\r\n\r\n') };
  const kept = headers.filter((header) => !/^(proxy-|connection:|keep-alive:)/i.test(header));
  const head = [`${method} ${url.pathname}${url.search} HTTP/1.1`, ...kept, 'Connection: close', '', ''].join(
    '\r\n',
  );
  return {
    ...target,
    first: Buffer.concat([Buffer.from(head, 'latin1'), bytes.subarray(end)]),
    accept: () => undefined,
  };
}

/** Returns the next bytes, with the socket paused after them; null when it ends. */
async function nextChunk(socket: Socket): Promise<Buffer | null> {
  const ended = new AbortController();
  socket.resume();
  try {
    const [chunk] = (await Promise.race([
      once(socket, 'data', { signal: ended.signal }),
      once(socket, 'end', { signal: ended.signal }).then(() => [null]),
      once(socket, 'close', { signal: ended.signal }).then(() => [null]),
    ])) as [Buffer | null];
    return chunk;
  } catch {
    // An error ends the connection, and with it the request.
    return null;
  } finally {
    ended.abort();
    socket.pause();
  }
}
