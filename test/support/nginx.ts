import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CalledService } from './caller.js';
import { until } from './until.js';

const CONFIGURATION = resolve(import.meta.dirname, '../../deploy/nginx.two.conf');
const CERTIFICATE = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];

/** Returns whether this host has Debian's packages nginx, openssl and util-linux. */
export const hasNginx = (): boolean =>
  ['nginx', 'openssl', 'setpriv'].every((command) => spawnSync(command, ['-v']).error === undefined);

/** The two-process configuration that the project ships, with addresses of this host. */
export class Nginx {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  static async before(first: CalledService, second: CalledService): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), 'awp-nginx-'));
    const port = await freePort();
    const files = ['-keyout', join(folder, 'server.key'), '-out', join(folder, 'server.crt')];
    execFileSync('openssl', [...CERTIFICATE, ...files], { stdio: 'ignore' });
    for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, [first, second]));
    const globals = `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;`;
    const command = ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-g', globals];
    // nginx ends when the test run is killed.
    const process = spawn('setpriv', ['--pdeathsig', 'TERM', ...command]);
    const nginx = new Nginx(process, folder, `https://127.0.0.1:${port}`);
    await until(
      async () =>
        (
          await nginx
            .in(first)
            .owner.unchecked()
            .get('/livez')
            .catch(() => null)
        )?.status === 200,
    );
    return nginx;
  }

  /** The service's address behind nginx. */
  in<Called extends CalledService>(service: Called): Called {
    return Object.create(service, { baseUrl: { value: this.url } }) as Called;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'close');
    this.process.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true });
  }
}

function configuration(folder: string, port: number, services: CalledService[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name.replace('client_', '')};`,
  );
  return services
    .reduce(
      (text, { baseUrl }, at) => text.replaceAll(`service-${at + 1}:3000`, new URL(baseUrl).host),
      readFileSync(CONFIGURATION, 'utf8'),
    )
    .replace('http {', `http {\n  access_log off;\n  ${temporary.join('\n  ')}`)
    .replace('listen 8443', `listen 127.0.0.1:${port}`)
    .replaceAll('/tls/', `${folder}/`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
