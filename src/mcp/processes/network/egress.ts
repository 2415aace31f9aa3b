import type { ChildProcess } from 'node:child_process';
import { Socket as UdpSocket, type RemoteInfo } from 'node:dgram';
import { connect, isIP, Server, type Socket } from 'node:net';
import { permittedAddresses, type Resolver } from '../../../platform/http/outbound/outbound-address.js';
import { NAME_ERROR, questionOf, responseTo, SERVER_FAILURE, TYPE_A } from './dns-message.js';
import { LocalAddresses } from './local-addresses.js';
import { NameLookups } from './name-lookups.js';
import { permits, permitsName, PROXY_PORT, type NetworkRule } from './network-rule.js';
import { readProxyRequest } from './proxy-request.js';
import { Refusals } from './refusals.js';

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

  /** @param child the process that passes the sockets of its namespace, see namespace-sockets.ts */
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
