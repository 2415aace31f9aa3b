// `npm run catalog:import -- NAME[@VERSION]` makes a catalogue entry, pinned and `verified: false`, in a folder of
// CATALOG_DIRS: of a server in a registry of MCP servers (MCP_REGISTRY_URL), or with `npm:NAME` of a package of npm.
import { parseArgs } from 'node:util';
import { runCommand } from './backup/command.mjs';
import { usageOf } from './commands.mjs';

const OPTIONS = {
  to: { type: 'string' },
  id: { type: 'string' },
  category: { type: 'string', default: 'dev' },
  source: { type: 'string' },
  network: { type: 'string', default: 'any' },
  program: { type: 'string' },
  force: { type: 'boolean', default: false },
};

/** The name of a package without its `npm:`. A server of a registry has a namespace and no scope. */
const PACKAGE = /^(?:@[a-z0-9][\w.~-]*\/)?[a-z0-9][\w.~-]*(?:@[\w.+-]+)?$/i;

process.exitCode = await runCommand(usageOf('catalog-import'), async (settings) => {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const pattern =
    /^(?:npm:(?<pkg>(?:@[a-z0-9][\w.~-]*\/)?[a-z0-9][\w.~-]*)|(?<server>[^@:]+\/[^@]+?))(?:@(?<version>[\w.+-]+))?$/i;
  const { pkg, server, version = 'latest' } = pattern.exec(positionals[0] ?? '')?.groups ?? {};
  if (positionals.length === 1 && pkg === undefined && server === undefined && PACKAGE.test(positionals[0]))
    return () =>
      Promise.reject(new Error(`For the package ${positionals[0]} of npm write npm:${positionals[0]}.`));
  const isKind = values.source === undefined || ['npm', 'pypi', 'remote'].includes(values.source);
  if (positionals.length !== 1 || (pkg ?? server) === undefined || !isKind) return null;
  const { importPackage, importServer } = await import('./catalog-import/import-server.mjs');
  if (pkg !== undefined) return () => importPackage(settings(), { name: pkg, version, ...values });
  return () => importServer(settings(), { name: server, version, ...values });
});
