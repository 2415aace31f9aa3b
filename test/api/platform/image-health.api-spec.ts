import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aCertificate, type Certificate } from '../../support/certificate.js';
import { startService, type Service } from '../../support/service.js';

const SCRIPT = resolve(import.meta.dirname, '../../../scripts/alive.sh');

/** Runs the health check of the image with these settings of the container, and returns how it ended. */
function alive(settings: Record<string, string>): Promise<number> {
  return new Promise((done) => {
    execFile('sh', [SCRIPT], { env: { PATH: process.env['PATH'], ...settings } }, (error) =>
      done(error ? Number(error.code) : 0),
    );
  });
}
const portOf = (service: Service) => new URL(service.address).port;

describe.each([
  ['HTTP', false],
  ['HTTPS', true],
])('the health check of the image, of a service that speaks %s', (_, isTls) => {
  let certificate: Certificate;
  let service: Service;
  beforeAll(async () => {
    certificate = await aCertificate();
    service = await startService({ settings: isTls ? certificate.settings : {} });
  });
  afterAll(async () => {
    await service?.remove();
    await certificate?.remove();
  });
  const settings = (): Record<string, string> => ({
    PORT: portOf(service),
    ...(isTls && certificate.settings),
  });

  it.each<Record<string, string>>([{}, { HOST: '0.0.0.0' }, { HOST: '127.0.0.1' }, { HOST: '::' }])(
    'succeeds with %j',
    async (host) => {
      expect(await alive({ ...settings(), ...host })).toBe(0);
    },
  );

  it('fails for the other scheme, for another port, and once the process has ended', async () => {
    const here = settings();
    const otherScheme = { ...here, TLS_CERT_FILE: isTls ? '' : certificate.certificate };
    expect(await alive(otherScheme)).not.toBe(0);
    expect(await alive({ ...here, PORT: '1' })).not.toBe(0);
    await service.stop();
    expect(await alive(here)).not.toBe(0);
  });
});
