/** A host that a server may reach; `*.example.com` stands for every name below example.com. */
export interface HostRule {
  host: string;
  port: number;
}

/** What a server may reach at the two best sandbox levels (contract §7.10). */
export type NetworkRule = { kind: 'none' } | { kind: 'any' } | { kind: 'hosts'; hosts: readonly HostRule[] };

/** The port at which servers without restriction find a proxy for connections to other ports than the usual ones. */
export const PROXY_PORT = 1080;

/** Ports that work without a proxy for a server that may reach any host. */
const USUAL_PORTS = [
  22, 25, 80, 443, 465, 587, 993, 1433, 3306, 5432, 5671, 6379, 6443, 8080, 8443, 9000, 9200, 27017,
];

/** Returns the ports at which connections of the server are accepted in its network namespace. */
export function portsOf(rule: NetworkRule): number[] {
  if (rule.kind === 'none') return [];
  if (rule.kind === 'any') return [...USUAL_PORTS, PROXY_PORT];
  return [...new Set(rule.hosts.map(({ port }) => port))];
}

export function permits(rule: NetworkRule, host: string, port: number): boolean {
  if (rule.kind !== 'hosts') return rule.kind === 'any';
  return rule.hosts.some((allowed) => allowed.port === port && covers(allowed.host, host));
}

/** Whether a name may be resolved: some port of it is permitted. */
export function permitsName(rule: NetworkRule, name: string): boolean {
  if (rule.kind !== 'hosts') return rule.kind === 'any';
  return rule.hosts.some(({ host }) => covers(host, name));
}

function covers(pattern: string, host: string): boolean {
  const wanted = host.toLowerCase();
  const rule = pattern.toLowerCase();
  return rule.startsWith('*.')
    ? wanted.endsWith(rule.slice(1)) && wanted.length > rule.length - 1
    : wanted === rule;
}

const HTTP = `http://127.0.0.1:${PROXY_PORT}`;
const SOCKS = `socks5h://127.0.0.1:${PROXY_PORT}`;
const NOT_PROXIED = 'localhost,127.0.0.1,::1';

/**
 * Returns the variables that point a server that may reach any host to the proxy in its namespace, for ports that are
 * not accepted there directly. A server with named hosts gets none: it reaches them without a proxy, and many clients
 * handle proxies badly. Node reads the variables from 22.21 and 24.5 on, with NODE_USE_ENV_PROXY.
 */
export function proxyVariables(rule: NetworkRule | undefined): Record<string, string> {
  if (rule?.kind !== 'any') return {};
  const variables = { HTTP_PROXY: HTTP, HTTPS_PROXY: HTTP, ALL_PROXY: SOCKS, NO_PROXY: NOT_PROXIED };
  const lowerCase = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...variables, ...Object.fromEntries(lowerCase), NODE_USE_ENV_PROXY: '1' };
}

/** The port of DNS, at which every resolver asks. */
const DNS_PORT = 53;

/** What /etc/resolv.conf and /etc/hosts of a server with a network of its own contain. */
export const RESOLV_CONF = 'nameserver 127.0.0.1\noptions timeout:5 attempts:1\n';
export const HOSTS = '127.0.0.1 localhost\n::1 localhost\n';

/**
 * A program for Node that runs in the server's network namespace before the server. It opens the sockets there and
 * passes them to the service over Node's channel: the service accepts what arrives, although it is not in the
 * namespace. No process of ours remains inside.
 */
const OPEN_SOCKETS = `
const net = require('node:net'), dgram = require('node:dgram');
const pass = (message, handle) =>
  new Promise((done, fail) => process.send(message, handle, {}, (error) => (error ? fail(error) : done())));
(async () => {
  for (const port of process.argv.slice(1).map(Number)) {
    const server = net.createServer();
    await new Promise((done, fail) => server.once('error', fail).listen({ port, host: '0.0.0.0' }, done));
    await pass({ port }, server);
  }
  const dns = dgram.createSocket('udp4');
  await new Promise((done, fail) => dns.once('error', fail).bind(${DNS_PORT}, '127.0.0.1', done));
  await pass({ dns: true }, dns);
  process.exit(0);
})().catch((error) => { console.error('[network]', String(error)); process.exit(1); });`;

/** SIOCSIFFLAGS with IFF_UP and IFF_RUNNING: a new namespace has a loopback interface that is down. */
const UP_IN_PERL = `socket(my $s, 2, 2, 0) or die; my $r = pack("a16 s x22", "lo", 0x41); ioctl($s, 0x8914, $r) or die "$!\\n"`;
const UP_IN_PYTHON = `import fcntl, socket, struct; fcntl.ioctl(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0x8914, struct.pack("16sh22x", b"lo", 0x41))`;

/**
 * A part of a shell script that prepares the network of the namespace it runs in. It takes node, the program and the
 * ports from \`$1\` to \`$3\`, and closes the channel (descriptor 3) before anything of the server runs.
 */
export const NETWORK_SCRIPT = `node=$1 program=$2 ports=$3; shift 3
if command -v ip >/dev/null; then ip link set lo up
elif command -v perl >/dev/null; then perl -e '${UP_IN_PERL}'
else python3 -c '${UP_IN_PYTHON}'; fi
if [ -n "$ports" ]; then "$node" -e "$program" $ports 1>&2; fi
unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
exec 3>&-`;

/** The three arguments of NETWORK_SCRIPT. */
export function networkArguments(rule: NetworkRule): string[] {
  return [process.execPath, OPEN_SOCKETS, portsOf(rule).join(' ')];
}
