// `npm start`: from a fresh clone to a running service, and `awp start` of the package. The service runs in this process, so
// signals reach it directly.
import { spawn } from 'node:child_process';
import module from 'node:module';
import { isCheckout, prepareCheckout } from './checkout.mjs';
import { inRoot } from './paths.mjs';

await prepareCheckout();
// From Node 22.8 on, a later start reads compiled code from here.
module.enableCompileCache?.(inRoot('node_modules/.cache/compiled'));
// Processes that the start begins (contract §9.5) find it there.
process.env.NODE_COMPILE_CACHE ??= inRoot('node_modules/.cache/compiled');
await import('../dist/src/main.js');
if (isCheckout && process.env.DASHBOARD !== 'off') {
  const { isDashboardBuilt } = await import('./build-dashboard.mjs');
  if (!isDashboardBuilt()) buildInBackground();
}

/** The API must not wait for the dashboard; the child ends with this process. */
function buildInBackground() {
  const child = spawn(process.execPath, [inRoot('scripts/build-dashboard.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.once('exit', () => child.kill());
}
