// What a start costs at each sandbox level: spawn, handshake and list of a small server, and its end.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConnection } from '../../dist/src/mcp/processes/connection/open-connection.js';
import { levelWorks } from '../../dist/src/mcp/processes/sandbox/sandbox-probe.js';
import { inRoot } from '../../scripts/paths.mjs';

const ROUNDS = 15;
const servers = inRoot('test/support/mcp-servers');

/** The rounds go over all levels in turn, so that all meet the same machine. */
export async function starts() {
  const levels = [];
  for (const level of ['bubblewrap', 'namespace', 'process-group'])
    if (await levelWorks(level)) levels.push({ level, up: [], down: [] });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'awp-bench-starts-')));
  try {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const one of levels) await startOnce(folder, one, round);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(
    `\n${'start at level'.padEnd(16)}${'ready ms'.padStart(10)}${'over the weakest'.padStart(18)}${'gone ms'.padStart(10)}`,
  );
  const weakest = median(levels.at(-1).up);
  for (const { level, up, down } of levels)
    console.log(
      `${level.padEnd(16)}${median(up).toFixed(0).padStart(10)}${(median(up) - weakest).toFixed(0).padStart(18)}${median(down).toFixed(0).padStart(10)}`,
    );
}

async function startOnce(folder, { level, up, down }, round) {
  const begun = performance.now();
  const connection = await openConnection(polite(join(folder, level, String(round))), {
    sandbox: level,
    serviceDataDir: folder,
    startTimeoutMs: 20_000,
  });
  await connection.listTools();
  const ready = performance.now();
  await connection.close();
  up.push(ready - begun);
  down.push(performance.now() - ready);
}

function polite(dataDir) {
  return {
    ...{ serverId: 'bench', name: 'Bench', secrets: [], revision: '1', transport: 'stdio' },
    ...{ command: process.execPath, args: [join(servers, 'misbehaving.mjs'), 'polite'], cwd: servers },
    ...{ env: {}, secretFiles: [], installDir: servers, dataDir, readOnlyPaths: [], writablePaths: [] },
    prior: { era: 'legacy', at: new Date().toISOString() },
  };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
