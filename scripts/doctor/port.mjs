import { probeAddress } from '../../dist/src/platform/start/listen-address.js';
import { hostAndPort, listenError } from '../../dist/src/platform/start/listen-address.js';
import { runningServices } from '../../dist/src/platform/start/listen-address.js';
import { ok, problem } from './verdict.mjs';

/**
 * Passes when the address is free, or when a service on the same data folder listens there. The service records its
 * process and its port in the data folder, so another program on the port, even another service, is not taken for it.
 */
export async function checkPort({ host, port, dataDir }) {
  try {
    await probeAddress({ host, port });
    return ok(`${hostAndPort({ host, port })} is free`);
  } catch (error) {
    const own = (await runningServices(dataDir)).find((service) => service.port === port);
    if (own) return ok(`the service listens at ${hostAndPort({ host, port })}, process ${own.pid}`);
    const refusal = error.problem ? error : listenError({ host, port }, error);
    return problem(refusal.problem, refusal.remedy);
  }
}
