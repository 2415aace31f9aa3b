import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { note, ok } from './verdict.mjs';

const PATIENCE_MS = 20_000;
/** A package of the catalogue. */
const PACKAGE = '@modelcontextprotocol/server-memory';

/** Asks the npm registry as an installation does: with the npm of this host, its configuration and its proxy. */
export async function checkRegistry() {
  const options = ['--fetch-retries=0', '--fetch-timeout=5000', '--no-update-notifier'];
  try {
    await promisify(execFile)('npm', ['view', PACKAGE, 'version', ...options], { timeout: PATIENCE_MS });
    return ok('npm reaches it');
  } catch (error) {
    if (error.code === 'ENOENT')
      return note('npm is not installed', 'install npm beside Node; servers cannot be installed without it');
    const code = /code (E\w+)/.exec(error.stderr ?? '')?.[1] ?? error.code ?? 'no response';
    return note(
      `npm does not reach it (${code})`,
      'allow this host to reach the npm registry, or set npm_config_registry to a mirror or HTTPS_PROXY to a proxy in the environment of the service; servers cannot be installed without it',
    );
  }
}
