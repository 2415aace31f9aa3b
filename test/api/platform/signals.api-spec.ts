import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { anonymous, asEditor } from '../../support/callers.js';
import { aProject } from '../../support/builders.js';
import { startService, type Service, type ServiceOptions } from '../../support/service.js';
import { until } from '../../support/until.js';

const begun: Service[] = [];
const begin = async (options: ServiceOptions = {}) => {
  const service = await startService(options);
  begun.push(service);
  return service;
};
afterEach(async () => {
  for (const service of begun.splice(0)) await service.remove();
});

const linesOf = (service: Service) =>
  service.log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as object] : []));

describe('a signal', () => {
  it.each(['SIGQUIT', 'SIGUSR2', 'SIGINT'] as const)(
    'shuts the service down when it is %s, and the log names it',
    async (signal) => {
      const service = await begin();
      expect(await service.endBy(signal)).toEqual({ code: 0, signal: null });
      expect(linesOf(service)).toContainEqual(
        expect.objectContaining({ level: 'info', msg: `The service shuts down: ${signal} was received.` }),
      );
    },
  );
});

describe('an error that no code handles', () => {
  const planted = pathToFileURL(resolve(import.meta.dirname, '../../support/planted-errors.mjs'));
  const settings = { NODE_OPTIONS: `--import=${planted.href}` };
  const plant = (service: Service, kind: string) =>
    anonymous(service)
      .unchecked()
      .get('/livez', { headers: { 'x-planted': kind } });

  it('is logged and counted when it is a rejection, and the service goes on', async () => {
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
  });

  it('is logged and shuts the service down with 1 when it is an exception', async () => {
    const service = await begin({ settings });
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
