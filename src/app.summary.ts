import { join } from 'node:path';
import type { SandboxLevel } from './mcp/processes/sandbox/launch-command.js';
import type { Settings } from './platform/config/settings.js';
import type { ProbedDatabase } from './platform/start/pooler-standby-and-version-checks.js';

/** What a start found out about its surroundings. */
export interface Surroundings {
  /** null: the embedded one. */
  database: ProbedDatabase | null;
  sandbox: SandboxLevel;
  /** The address under which clients reach the service. */
  address: string;
  /** The address under which other processes reach this tools host; null in any other role. */
  toolsHost?: string | null;
}

/** The first line of a start: where it puts, or finds, the data. */
export const dataFolderLine = ({ dataDir }: Pick<Settings, 'dataDir'>): string => `Data folder: ${dataDir}`;

/** Returns the lines that a start prints when it is ready: what the service uses, and where it is reached. */
export function summaryOf(
  settings: Settings,
  { database, sandbox, address, toolsHost }: Surroundings,
): string[] {
  const { dataDir, s3, tracing } = settings;
  return [
    `Database: ${database ? `PostgreSQL ${database.version} at ${database.place}` : `embedded PostgreSQL in ${join(dataDir, 'postgres')}`}`,
    `Attachments: ${s3 ? `bucket ${s3.bucket} at ${new URL(s3.endpoint).host}` : join(dataDir, 'attachments')}`,
    ...(settings.role === 'all' ? [] : [`Role: ${settings.role}`]),
    ...(settings.apis > 1 ? [`Processes: ${processesOf(settings)}`] : []),
    ...(settings.duties.servers ? [`Sandbox of MCP servers: ${sandbox}`] : []),
    ...(tracing ? [`Traces: sent to ${new URL(tracing.url).host}`] : []),
    ...(toolsHost ? [`Internal endpoint of this tools host: ${toolsHost}`] : []),
    `Agent Work Platform is ready at ${address}`,
    ...(settings.duties.requests ? addressesFor(settings, address) : []),
  ];
}

function processesOf({ apis, role }: Settings): string {
  return role === 'all'
    ? `${apis} for requests, and one for MCP servers and background work`
    : `${apis} for requests`;
}

function addressesFor({ dashboard }: Settings, address: string): string[] {
  return [`Swagger UI: ${address}/api/docs`, ...(dashboard ? [`Dashboard and sign-in: ${address}/`] : [])];
}

/** Returns one sentence for each setting, and each property of the host, that the operator should change. */
export function warningsOf(settings: Settings, sandbox: SandboxLevel): string[] {
  if (!settings.duties.servers || sandbox !== 'process-group') return [...settings.warnings];
  const reason =
    settings.mcpSandbox === 'off' ? 'MCP_SANDBOX=off' : `MCP_SANDBOX=${settings.mcpSandbox} found no sandbox`;
  return [
    ...settings.warnings,
    `${reason}: MCP servers see the files and processes that the service sees. Install bubblewrap and allow unprivileged user namespaces (docs/sandbox.md).`,
  ];
}
