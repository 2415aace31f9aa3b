import { once } from 'node:events';
import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { connect } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { anonymous, asEditor } from '../../support/callers.js';
import { aProject } from '../../support/builders.js';
import { aCertificate, type Certificate } from '../../support/certificate.js';
import { startService, type Service, type ServiceOptions } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';

const begun: Service[] = [];
const begin = async (options: ServiceOptions = {}) => {
  const service = await startService({ ...options, ownProcess: true });
  begun.push(service);
  return service;
};
afterEach(async () => {
  for (const service of begun.splice(0)) await service.remove();
});

const linesOf = (service: Service) =>
  service.log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as object] : []));

/** SIGQUIT and SIGUSR2 end the services of the tests of SIGHUP below: each start takes two seconds of a processor. */
async function expectEndBy(signal: NodeJS.Signals, service: Service): Promise<void> {
  expect(await service.endBy(signal)).toEqual({ code: 0, signal: null });
  expect(linesOf(service)).toContainEqual(
    expect.objectContaining({ level: 'info', msg: `The service shuts down: ${signal} was received.` }),
  );
}

describe('a signal', () => {
  it('shuts the service down when it is SIGINT, and the log names it', async () => {
    await expectEndBy('SIGINT', await begin());
  });
});

describe('an error that no code handles', () => {
  const planted = pathToFileURL(resolve(import.meta.dirname, '../../support/planted-errors.mjs'));
  const settings = { NODE_OPTIONS: `--import=${planted.href}` };
  const plant = (service: Service, kind: string) =>
    anonymous(service)
      .unchecked()
      .get('/livez', { headers: { 'x-planted': kind } });

  it('is logged and counted when it is a rejection, and shuts the service down with 1 when it is an exception', async () => {
    const service = await begin({ settings });
    await plant(service, 'rejection');
    const counted = async () => (await anonymous(service).unchecked().get('/metrics')).text;
    await until(async () => /^awp_unhandled_rejections_total 1$/m.test(await counted()));
    await aProject(await asEditor(service));
    expect(linesOf(service)).toContainEqual(
      expect.objectContaining({
        level: 'error',
        context: 'Process',
        error: expect.stringMatching(/^Error: planted rejection\n/),
      }),
    );
    await plant(service, 'exception');
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(linesOf(service)).toContainEqual(
      expect.objectContaining({
        level: 'fatal',
        context: 'Process',
        error: expect.stringMatching(/^Error: planted exception\n/),
      }),
    );
  });
});

describe('SIGHUP', () => {
  const catalog = new LocalCatalog().stdio('first', ['minimal-server.mjs']);
  let certificate: Certificate;
  let renewed: Certificate;
  beforeAll(async () => void ([certificate, renewed] = [await aCertificate(), await aCertificate()]));
  afterAll(async () => {
    for (const each of [certificate, renewed]) await each.remove();
    catalog.remove();
  });
  const messages = (service: Service) => (linesOf(service) as { msg?: string }[]).map(({ msg }) => msg);

  /** The fingerprint of the certificate that a new connection gets. */
  async function served({ address }: Service): Promise<string> {
    const { hostname, port } = new URL(address);
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  }

  it('reads certificate, key ring and catalogue again, and keeps those that cannot be used; SIGQUIT then ends the service', async () => {
    const service = await begin({ settings: { ...certificate.settings, CATALOG_DIRS: catalog.folder } });
    const [keyRing, before] = [join(service.dataDir, 'keyring.json'), await served(service)];
    const entry = async (id: string) => (await service.owner.get(`/api/mcp/catalog/${id}`)).status;
    catalog.stdio('second', ['minimal-server.mjs']);
    await copyFile(renewed.certificate, certificate.certificate);
    await copyFile(renewed.key, certificate.key);
    service.reload();
    await until(async () => (await entry('second')) === 200);
    expect(await served(service)).not.toBe(before);
    for (const what of ['TLS certificate', 'key ring', 'catalogue'])
      expect(messages(service)).toContain(`SIGHUP: the ${what} was read again.`);
    const after = await served(service);
    await writeFile(certificate.key, 'cut off');
    await writeFile(keyRing, '{');
    service.reload();
    await until(() => messages(service).filter((text) => text?.includes('stays as it was')).length >= 2);
    expect(messages(service)).toContainEqual(
      expect.stringMatching(/^SIGHUP: the TLS certificate stays as it was: TLS_KEY_FILE \(/),
    );
    expect(await served(service)).toBe(after);
    expect((await service.owner.get('/readyz')).status).toBe(200);
    await expectEndBy('SIGQUIT', service);
  });

  it('is not needed for the certificate, which is followed; SIGUSR2 then ends the service', async () => {
    const service = await begin({ settings: renewed.settings });
    const before = await served(service);
    const next = await aCertificate();
    await copyFile(next.key, renewed.key);
    await copyFile(next.certificate, renewed.certificate);
    await next.remove();
    await until(async () => (await served(service)) !== before);
    expect(messages(service)).toContain('The TLS certificate was renewed.');
    await expectEndBy('SIGUSR2', service);
  });
});
