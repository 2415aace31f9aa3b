import { once } from 'node:events';
import type { Socket } from 'node:net';

/** More names than any server needs; beyond them the oldest is forgotten. */
const MOST_NAMES = 4_096;

/**
 * Gives every name that a server resolves a loopback address of its own, 127.64.0.0/10. A connection to the address
 * arrives at the service, which reads the name from it.
 */
export class LocalAddresses {
  private readonly byName = new Map<string, string>();
  private readonly byAddress = new Map<string, string>();
  private last = 0;

  of(name: string): string {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    if (this.byName.size >= MOST_NAMES) this.forgetOldest();
    this.last = (this.last + 1) % 2 ** 22;
    const address = `127.${64 + (this.last >> 16)}.${(this.last >> 8) & 255}.${this.last & 255}`;
    this.byName.set(name, address);
    this.byAddress.set(address, name);
    return address;
  }

  /** Returns the name that an address was given to, or the address itself. */
  nameOf(address: string): string {
    return this.byAddress.get(address) ?? address;
  }

  private forgetOldest(): void {
    const [oldest] = this.byName;
    if (!oldest) return;
    this.byName.delete(oldest[0]);
    this.byAddress.delete(oldest[1]);
  }
}

/** A question of a DNS query, as far as the resolver of a sandbox answers it. */
export interface DnsQuestion {
  name: string;
  type: number;
}

export const TYPE_A = 1;
export const NAME_ERROR = 3;
export const SERVER_FAILURE = 2;

const HEADER_BYTES = 12;
const RESPONSE_FLAGS = 0x8180;
const CLASS_IN = 1;
const TTL_SECONDS = 30;

/** Returns the one question of a query; null for a message that is no query with one question. */
export function questionOf(query: Buffer): (DnsQuestion & { end: number }) | null {
  if (query.length < HEADER_BYTES + 5 || (query[2]! & 0xf8) !== 0 || query.readUInt16BE(4) !== 1) return null;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]; length !== 0; length = query[at]) {
    if (length === undefined || length > 63 || at + 1 + length >= query.length) return null;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (at + 5 > query.length || query.readUInt16BE(at + 3) !== CLASS_IN) return null;
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Returns the response to a query. @param addresses IPv4 addresses; none is an empty answer */
export function responseTo(query: Buffer, end: number, addresses: readonly string[], code = 0): Buffer {
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(RESPONSE_FLAGS | code, 2);
  [1, addresses.length, 0, 0].forEach((count, place) => header.writeUInt16BE(count, 4 + 2 * place));
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...addresses.map(addressRecord)]);
}

function addressRecord(address: string): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc00c, 0); // The name of the question.
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(CLASS_IN, 4);
  record.writeUInt32BE(TTL_SECONDS, 6);
  record.writeUInt16BE(4, 10);
  address.split('.').forEach((part, place) => record.writeUInt8(Number(part), 12 + place));
  return record;
}

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
