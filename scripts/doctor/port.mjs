import {
  hostAndPort,
  listenError,
  probeAddress,
  runningServices,
} from '../../dist/src/platform/start/listen-address.js';
import { ok, problem } from './verdict.mjs';

/**
 * Passes when the address is free, or when a service on the same data folder listens there. The service records its
 * process and its port in the data folder, so another program on the port, even another service, is not taken for it.
 */
export async function checkPort(settings) {
  const { host, port, dataDir } = settings;
  const services = await runningServices(dataDir);
  try {
    await probeAddress({ host, port });
    return refuseOtherService(settings, services) ?? ok(`${hostAndPort({ host, port })} is free`);
  } catch (error) {
    const own = services.find((service) => service.port === port);
    if (own) return ok(`the service listens at ${hostAndPort({ host, port })}, process ${own.pid}`);
    const refusal = error.problem ? error : listenError({ host, port }, error);
    return problem(refusal.problem, refusal.remedy);
  }
}

/** Only processes on one database of the operator may share a data folder. */
function refuseOtherService({ port, dataDir, databaseUrl }, [other]) {
  if (databaseUrl !== null || port === 0 || !other) return null;
  return problem(
    `process ${other.pid} uses DATA_DIR (${dataDir}) and listens on port ${other.port}, not ${port}`,
    `set PORT=${other.port} where that is this service; otherwise set DATA_DIR to a folder of its own`,
  );
}
