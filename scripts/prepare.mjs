// `npm run setup`: installs what the service and its build need, and builds dist, unless both are up to date. `--all`
// also installs what tests and checks need.
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';
import { FOR_ALL, FOR_START } from './install.mjs';

await ensureInstalled(process.argv.includes('--all') ? FOR_ALL : FOR_START);
await ensureBuilt();
