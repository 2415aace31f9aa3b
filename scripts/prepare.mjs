// `npm run setup`: installs what the service and its build need, and builds dist, unless both are up to date. `--all`
// also installs what tests and checks need. `awp setup` of the package has these links left to make.
import process from 'node:process';
import { prepareCheckout } from './checkout.mjs';

await prepareCheckout({ all: process.argv.includes('--all') });
// npm packs no links, without which no program of the embedded PostgreSQL loads. A service that runs as another user than the
// owner of this folder, as under systemd and in the image, could not make them.
const { findPostgresBinaries } = await import('../dist/src/platform/embedded-postgres/postgres-home.js');
// A platform without an embedded PostgreSQL needs DATABASE_URL, which its start says.
await findPostgresBinaries().catch(() => undefined);
