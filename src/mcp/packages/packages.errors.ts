import { Problem } from '../../platform/http/problem/problem.js';

/** 502: the package of an entry could not be fetched or did not match; nothing of it was kept (contract §3.3). */
export class PackageUnavailable extends Problem {
  constructor(cause: string) {
    super('package_unavailable', cause);
  }
}
