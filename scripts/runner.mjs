// `npm run runner -- COMMAND` installs and builds the runner where that is due, and runs it in the folder of the caller.
import { ensureInstalled } from './ensure-ready.mjs';
import { buildRunner } from './build-runner.mjs';
import { inRoot } from './paths.mjs';

await ensureInstalled();
await buildRunner();
process.chdir(process.env.INIT_CWD ?? process.cwd());
process.argv[1] = inRoot('runner/dist/main.js');
await import(process.argv[1]);
