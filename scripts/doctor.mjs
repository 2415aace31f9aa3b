// `npm run doctor` tries everything that a start and the work after it need, without changing existing data. It names
// each error and how to fix it, never a secret, and exits with 1 when there is one. `-- --json` writes lines in the form of the log.
import { prepareCheckout } from './checkout.mjs';
import { takeSettingsFile } from './settings-file.mjs';
import { printVisibly } from './visible-output.mjs';

takeSettingsFile();
await prepareCheckout();
await printVisibly();
const { examine } = await import('./doctor/examine.mjs');
process.exitCode = (await examine({ isJson: process.argv.includes('--json') })) ? 0 : 1;
