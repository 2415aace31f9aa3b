// `npm run game-day`: one thing after the other goes wrong under an installation at work (docs/operations.md). It ends with
// 1 where something was not noticed, did not recover, or was lost. `--log FILE` writes the log as Markdown, `--only
// NAME,NAME` plays some scenes, and `--pretend lost-write` shows that it can fail: double-write, silent-alerts, no-recovery
// and broken-invariant are the others.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDashboard } from '../../scripts/build-dashboard.mjs';
import { ensureBuilt, ensureInstalled } from '../../scripts/ensure-ready.mjs';
import { run } from '../../scripts/run.mjs';

const { values } = parseArgs({
  options: {
    log: { type: 'string' },
    only: { type: 'string', default: '' },
    pretend: { type: 'string', default: '' },
  },
});
const log = values.log ? resolve(values.log) : '';

await ensureInstalled();
await ensureBuilt();
await buildDashboard();
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
const options = ['--config', 'test/game-day/jest.config.mjs', '--runInBand', '--forceExit'];
const code = await run(process.execPath, [...jest, ...options], {
  env: { GAME_DAY_ONLY: values.only, GAME_DAY_LOG: log, GAME_DAY_PRETEND: values.pretend },
});
if (log) await run(process.execPath, ['node_modules/oxfmt/bin/oxfmt', log]);
process.exitCode = code === 0 ? 0 : 1;
