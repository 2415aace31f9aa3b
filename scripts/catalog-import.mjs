// `npm run catalog:import -- NAME[@VERSION]` makes a catalogue entry of a server in a registry of MCP servers
// (MCP_REGISTRY_URL), pinned and `verified: false`, in a folder of CATALOG_DIRS.
import { parseArgs } from 'node:util';
import { runCommand } from './backup/command.mjs';

const USAGE = `npm run catalog:import -- NAME[@VERSION] [options]
  NAME                such as io.github.acme/weather, with its latest version unless VERSION names another
  --to FOLDER         a folder of CATALOG_DIRS; default: the first of them
  --id ID             the id of the entry; default: the last part of NAME
  --category NAME     database, saas, search, cloud, dev (default) or productivity
  --source KIND       npm, pypi or remote; default: the first that the server has, in this order
  --network HOSTS     any (default), none, or hosts separated by commas: what a package may reach
  --program NAME      the program of a package that has several
  --force             replace the file of an earlier import`;

const OPTIONS = {
  to: { type: 'string' },
  id: { type: 'string' },
  category: { type: 'string', default: 'dev' },
  source: { type: 'string' },
  network: { type: 'string', default: 'any' },
  program: { type: 'string' },
  force: { type: 'boolean', default: false },
};

process.exitCode = await runCommand(USAGE, async (settings) => {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [, name, version = 'latest'] = /^([^@]+\/[^@]+?)(?:@([^@]+))?$/.exec(positionals[0] ?? '') ?? [];
  const isKind = values.source === undefined || ['npm', 'pypi', 'remote'].includes(values.source);
  if (positionals.length !== 1 || name === undefined || !isKind) return null;
  const { importServer } = await import('./catalog-import/import-server.mjs');
  return () => importServer(settings(), { name, version, ...values });
});
