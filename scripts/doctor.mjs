// `npm run doctor`: tries everything that a start needs and that work needs after it, without changing anything
// that is there. Names each fault and its mend, never a secret; exits 1 where there is a fault.
import { existsSync } from 'node:fs';
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';

/** Not there in an image that ships what was built. */
if (existsSync(new URL('../src', import.meta.url))) {
  await ensureInstalled();
  await ensureBuilt();
}
const { examine } = await import('./doctor/examine.mjs');
process.exitCode = (await examine()) ? 0 : 1;
