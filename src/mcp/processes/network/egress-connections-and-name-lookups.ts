import type { ChildProcess } from 'node:child_process';
import { type RemoteInfo, Socket as UdpSocket } from 'node:dgram';
import { connect, isIP, Server, type Socket } from 'node:net';
import { Semaphore } from '../../../platform/concurrency/queues-semaphores-and-context-slots.js';
import {
  permittedAddresses,
  type Resolver,
  systemResolver,
} from '../../../platform/http/outbound-addresses-and-errors.js';
import {
  LocalAddresses,
  NAME_ERROR,
  questionOf,
  readProxyRequest,
  responseTo,
  SERVER_FAILURE,
  TYPE_A,
} from './dns-messages-and-proxy-requests.js';
import { type NetworkRule, permits, permitsName, PROXY_PORT } from './permitted-hosts-and-ports.js';

/**
 * A lookup holds one of the four threads that also read files and hash passwords for the whole service, for many seconds
 * where the name servers of a domain do not answer.
 */
const AT_ONCE = new Semaphore(3);
const AT_ONCE_PER_SERVER = 2;
const MOST_WAITING = 64;

/** Resolves names for one server, a few at a time, so that a server with many slow names does not stop the service. */
export class NameLookups {
  private readonly own = new Semaphore(AT_ONCE_PER_SERVER);
  private readonly running = new Map<string, Promise<string[]>>();

  constructor(private readonly resolver: Resolver = systemResolver) {}

  /** @throws {Error} when too many names wait already */
  readonly resolve: Resolver = (name) => {
    const known = this.running.get(name);
    if (known) return known;
    const lookup = this.lookUp(name).finally(() => this.running.delete(name));
    this.running.set(name, lookup);
    return lookup;
  };

  private async lookUp(name: string): Promise<string[]> {
    if (this.own.waiting >= MOST_WAITING) throw new Error('too many of its names are being resolved.');
    return this.own.run(() => AT_ONCE.run(() => this.resolver(name)));
  }
}

const MOST_KEPT = 200;
const AGAIN_MS = 60_000;

/** The connections that the network rule of one process refused. Each target is logged once per minute. */
export class Refusals {
  /** Called with a sentence for the server's log. */
  onRefusal: (line: string) => void = () => undefined;
  /** How many there were. */
  count = 0;
  private readonly recent: { number: number; target: string }[] = [];
  private readonly logged = new Map<string, number>();

  add(target: string, why: string): void {
    this.count += 1;
    this.recent.push({ number: this.count, target });
    if (this.recent.length > MOST_KEPT) this.recent.shift();
    const now = performance.now();
    if (now - (this.logged.get(target) ?? -Infinity) < AGAIN_MS) return;
    if (this.logged.size > MOST_KEPT) this.logged.clear();
    this.logged.set(target, now);
    this.onRefusal(`[network] refused ${target}: ${why}`);
  }

  /** Returns the targets that were refused after the first `count`, each once. */
  since(count: number): string[] {
    return [...new Set(this.recent.filter(({ number }) => number > count).map(({ target }) => target))];
  }
}

const CONNECT_MS = 15_000;
/** Two per connection: to the server, and to its target. */
const MOST_SOCKETS = 512;

export interface EgressOptions {
  rule: NetworkRule;
  /** `OUTBOUND_ALLOWED_HOSTS`: private addresses need an entry there besides the rule. */
  allowedHosts: readonly string[];
  resolve?: Resolver;
}

/**
 * The only way out of a server's network namespace. A name that the rule permits is resolved to a loopback address of
 * the namespace; a connection to it arrives here and is continued to the real address, which is checked where the
 * connection is made (contract §7.7). So programs need no proxy, and no program can go around it: the namespace has no
 * other interface.
 */
export class Egress {
  readonly refusals = new Refusals();
  private readonly names = new LocalAddresses();
  private readonly sockets = new Set<Socket>();
  private readonly listening: (Server | UdpSocket)[] = [];
  private readonly lookups: NameLookups;

  constructor(private readonly options: EgressOptions) {
    this.lookups = new NameLookups(options.resolve);
  }

  /** @param child the process that passes the sockets of its namespace, see permitted-hosts-and-ports.ts */
  receiveFrom(child: ChildProcess): void {
    child.on('message', (_, handle) => this.take(handle));
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    for (const open of this.listening.splice(0)) open.close();
  }

  private take(handle: unknown): void {
    if (handle instanceof Server) {
      this.listening.push(handle);
      handle.on('connection', (socket) => void this.accept(socket));
      handle.on('error', () => undefined); // The namespace is gone, and the socket with it.
    } else if (handle instanceof UdpSocket) {
      this.listening.push(handle);
      handle.on('message', (query, from) => void this.answer(handle, query, from));
      handle.on('error', () => undefined); // As above.
    }
  }

  private async accept(socket: Socket): Promise<void> {
    if (this.sockets.size >= MOST_SOCKETS) return void socket.destroy();
    this.keep(socket);
    const { localAddress = '', localPort = 0 } = socket;
    if (localPort === PROXY_PORT && this.options.rule.kind === 'any') return this.proxy(socket);
    const target = await this.open(this.names.nameOf(localAddress), localPort);
    if (target === null || socket.destroyed) socket.resetAndDestroy();
    else this.join(socket, target);
  }

  private async proxy(socket: Socket): Promise<void> {
    const request = await readProxyRequest(socket);
    if (request === null) return void socket.destroy();
    const target = await this.open(this.names.nameOf(request.host), request.port);
    if (target === null)
      return request.refuse(`${request.host}:${request.port} is not reachable for this server.`);
    request.accept();
    target.write(request.first);
    this.join(socket, target);
  }

  /** Connects to a host that the rule permits; null where it does not, or where the host cannot be reached. */
  private async open(host: string, port: number): Promise<Socket | null> {
    const addresses = await this.addressesOf(host, port);
    for (const address of addresses) {
      const socket = await connected(address, port);
      if (socket) return this.keep(socket);
    }
    return null;
  }

  private async addressesOf(host: string, port: number): Promise<string[]> {
    const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    if (!permits(this.options.rule, host, port)) {
      this.refusals.add(target, 'it is not among the hosts that the catalogue entry names.');
      return [];
    }
    try {
      return await permittedAddresses(host, port, this.options.allowedHosts, this.lookups.resolve);
    } catch (error) {
      this.refusals.add(target, error instanceof Error ? error.message : 'its name could not be resolved.');
      return [];
    }
  }

  private join(inner: Socket, outer: Socket): void {
    inner.pipe(outer);
    outer.pipe(inner);
    inner.once('close', () => outer.destroy());
    outer.once('close', () => inner.destroy());
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => undefined); // The close that follows ends the other side.
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  }

  private async answer(dns: UdpSocket, query: Buffer, from: RemoteInfo): Promise<void> {
    const question = questionOf(query);
    if (question === null) return;
    const { addresses, code } = await this.lookUp(question.name);
    // The server may have ended meanwhile. Its socket is closed then, and `send` would throw.
    if (!this.listening.includes(dns)) return;
    const known = question.type === TYPE_A ? addresses : [];
    const response = responseTo(query, question.end, known, code);
    dns.send(response, from.port, from.address, () => undefined); // A resolver that is gone needs no answer.
  }

  private async lookUp(name: string): Promise<{ addresses: string[]; code: number }> {
    if (!permitsName(this.options.rule, name)) {
      this.refusals.add(name, 'it is not among the hosts that the catalogue entry names.');
      return { addresses: [], code: NAME_ERROR };
    }
    try {
      await this.lookups.resolve(name);
      return { addresses: [this.names.of(name)], code: 0 };
    } catch (error) {
      const missing = error instanceof Error && 'code' in error && error.code === 'ENOTFOUND';
      return { addresses: [], code: missing ? NAME_ERROR : SERVER_FAILURE };
    }
  }
}

/** Returns an open connection, or null where the address does not accept one in time. */
function connected(host: string, port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true });
    const fail = (): void => {
      socket.destroy();
      resolve(null);
    };
    socket.setTimeout(CONNECT_MS, fail);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}
