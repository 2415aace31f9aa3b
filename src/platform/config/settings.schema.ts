import { join } from 'node:path';
import { z } from 'zod';
import { refuseUnknownTls } from './database-tls.js';
import { limitSettings, retentionSettings } from './limits-in-bytes-numbers-and-retention.schema.js';
import { signInSettings } from './oidc-settings.schema.js';
import { roles } from './process-roles-and-plan.js';
import { refuseCombinations } from './setting-combinations.js';
import {
  boolean,
  count,
  decimal,
  isAddressOrRange,
  isDatabaseUrl,
  isHostAndPort,
  isOrigin,
  list,
  text,
} from './setting-rules.js';

/**
 * Every variable that the service reads (contract §9), each with the sentence that `.env.example` shows. A variable
 * that is set but empty counts as not set, so that `VAR=` in an env file means the default. A default that depends on other
 * variables is in `dependentDefaults`.
 */
export const settingsSchema = z
  .object({
    NODE_ENV: z
      .string()
      .default('development')
      .describe("'production' turns off plain HTTP on loopback and the creation of a key ring."),
    ROLE: z
      .enum(roles)
      .default('all')
      .describe(
        'What this process does. api: requests; tools: MCP servers, for the api processes; worker: webhooks and periodic work; all: everything. Other than all: with DATABASE_URL.',
      ),
    TOOLS_LISTEN: z
      .string()
      .refine(isHostAndPort, 'must be an address like 10.0.0.5:3100')
      .optional()
      .describe('Address and port of the internal endpoint of a process with ROLE=tools; never public.'),
    TOOLS_ADVERTISE: z
      .string()
      .refine(isHostAndPort, 'must be an address like tools-1.internal:3100')
      .optional()
      .describe('host:port under which api processes reach that endpoint; default: TOOLS_LISTEN.'),
    INTERNAL_KEY: z
      .string()
      .regex(/^[\x21-\x7e]{32,200}$/, 'must be 32 to 200 visible ASCII characters')
      .optional()
      .describe('Key between api and tools processes, the same for all; default: derived from the key ring.'),
    PROCESSES: z
      .string()
      .regex(/^(auto|[1-9]\d?)$/, "must be 'auto' or a whole number from 1 to 99")
      .default('auto')
      .describe(
        'Processes that answer requests on this machine; with 2 or more, ROLE=all has one for MCP servers and background work beside them. auto: one per processor, at most 8. For ROLE=all and api.',
      ),
    PORT: count(0, 65535).default(3000).describe('TCP port to listen on; 0 takes a free one.'),
    HEALTH_PORT: count(1, 65535)
      .optional()
      .describe(
        'Further port, at HOST, that answers only /livez and /readyz, by HTTP. With several processes no load delays it.',
      ),
    HOST: text.default('127.0.0.1').describe('Address to listen on.'),
    PUBLIC_URL: z
      .url()
      .optional()
      .describe('Address under which clients reach the service; default: the one it listens on.'),
    DATA_DIR: text
      .default('./data')
      .describe('Folder of the embedded database, key ring, packages and attachments.'),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
      .refine(
        isDatabaseUrl,
        'must be a URL like postgres://user:password@host:5432/database, with special characters of user and password percent-encoded (@ is %40, / is %2F, # is %23)',
      )
      .superRefine(refuseUnknownTls)
      .optional()
      .describe('PostgreSQL 15 to 18; unset: a real embedded one under DATA_DIR.'),
    DATABASE_DIRECT_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
      .refine(isDatabaseUrl, 'must be a URL like postgres://user:password@host:5432/database')
      .superRefine(refuseUnknownTls)
      .optional()
      .describe(
        'The same database past the pooler that DATABASE_URL leads to (PgBouncer in transaction mode), for notifications, migrations and background work; default: DATABASE_URL.',
      ),
    DATABASE_PREPARED: z
      .enum(['on', 'off'])
      .default('on')
      .describe('off: for a pooler without prepared statements (PgBouncer before 1.21).'),
    DATABASE_POOL_SIZE: count(2, 500)
      .optional()
      .describe(
        'Connections to the database of the processes that answer requests, together; default: 10, or 4 for each of them where that is more. The process beside them has as many as one of them.',
      ),
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .default('info')
      .describe('Lowest level that is logged.'),
    LOG_FORMAT: z
      .enum(['json', 'text'])
      .default('json')
      .describe('json: one object per line; text: lines for people.'),
    OTEL_EXPORTER_OTLP_ENDPOINT: z
      .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
      .optional()
      .describe(
        'Base address of an OpenTelemetry collector that takes OTLP as JSON over HTTP; unset: no traces, and nothing of the SDK is loaded.',
      ),
    OTEL_EXPORTER_OTLP_HEADERS: text
      .optional()
      .describe('Headers for the collector, such as a key: name=value,name=value (percent-encoded).'),
    OTEL_SERVICE_NAME: text.default('agent-work-platform').describe('Name of this service in traces.'),
    OTEL_TRACES_SAMPLER_ARG: decimal(0, 1)
      .default(1)
      .describe('Share of the traces that begin here and are sent; a caller decides about its own.'),
    DASHBOARD: z
      .enum(['on', 'off'])
      .default('on')
      .describe('Serve the dashboard at /; off leaves the API alone.'),
    DASHBOARD_ORIGINS: list(',', isOrigin, 'origins such as https://dash.example.com')
      .default([])
      .describe('Origins, of the same site as the service, whose dashboards may call with a session cookie.'),
    TRUSTED_PROXIES: list(',', isAddressOrRange, 'addresses or CIDR ranges')
      .default([])
      .describe('Proxies whose X-Forwarded-* headers are believed.'),
    TLS_CERT_FILE: text
      .optional()
      .describe('Certificate (PEM) of the service itself; with TLS_KEY_FILE. Read again when it changes.'),
    TLS_KEY_FILE: text.optional().describe('Private key (PEM) of TLS_CERT_FILE.'),
    ALLOW_HTTP_ON_LOOPBACK: boolean
      .optional()
      .describe('Accept secrets over plain HTTP from this host; default true, in production false.'),
    BOOTSTRAP_OWNER_EMAIL: z
      .email()
      .optional()
      .describe('E-mail address of the Owner that the first start creates.'),
    BOOTSTRAP_OWNER_PASSWORD: z.string().min(12).optional().describe('Password of that Owner.'),
    BOOTSTRAP_OWNER_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]{32,200}$/, 'must be 32 to 200 visible ASCII characters')
      .optional()
      .describe('API key of that Owner, used as given.'),
    ENCRYPTION_KEYRING_FILE: text
      .optional()
      .describe('File of the key ring that encrypts credentials; default: keyring.json in DATA_DIR.'),
    ENCRYPTION_KEYS: text
      .optional()
      .describe('Key ring instead of a file: id:base64,… (32 bytes each; the first is the primary key).'),
    CATALOG_DIRS: list(':', () => true, 'folders')
      .default([])
      .describe("Folders with an operator's own catalogue entries."),
    ALLOW_UNVERIFIED: boolean
      .default(false)
      .describe('Install entries that were imported from a registry and that no person has reviewed.'),
    MCP_REGISTRY_URL: z
      .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
      .default('https://registry.modelcontextprotocol.io')
      .describe('Registry of MCP servers (API v0.1) from which npm run catalog:import reads.'),
    PUBLISH_REGISTRY: boolean
      .default(false)
      .describe(
        'Publish the catalogue at /v0.1/servers in the form of such a registry, for everybody who reaches the service.',
      ),
    OUTBOUND_ALLOWED_HOSTS: list(',', isHostAndPort, 'host:port pairs')
      .default([])
      .describe('host:port pairs on private addresses that remote MCP servers and webhooks may have.'),
    MCP_IDLE_SECONDS: count(1, 86_400)
      .default(600)
      .describe('Seconds after which an idle server process is ended.'),
    MCP_SESSION_IDLE_SECONDS: count(1, 86_400)
      .default(1_800)
      .describe("Seconds after which an agent's MCP session without an open request is ended."),
    MCP_SANDBOX: z
      .enum(['auto', 'require', 'off'])
      .default('auto')
      .describe(
        'Sandbox of server processes. auto: the strongest that works; require: no start without one of the two strongest; off: none.',
      ),
    MCP_MAX_PROCESSES: count(1, 10_000).default(64).describe('Server processes that run at once.'),
    MCP_PROCESS_MEMORY_MB: count(32, 1_048_576)
      .default(1024)
      .describe(
        'Memory in MiB above which a server is ended; descendants count, and pages that they share count once.',
      ),
    MCP_CALLS_PER_PROCESS: count(1, 10_000)
      .default(32)
      .describe('Tool calls that run at once in one server process; further calls wait.'),
    MCP_CALLS_TOTAL: count(1, 100_000)
      .default(256)
      .describe('Tool calls that run at once in all server processes together.'),
    MCP_CALLS_PER_AGENT: count(1, 100_000)
      .optional()
      .describe('Tool calls that one agent has running at once; an eighth of MCP_CALLS_TOTAL by default.'),
    TOOL_CALL_TIMEOUT_MS: count(100, 300_000)
      .default(55_000)
      .describe(
        'Milliseconds a tool call may take, counted again from each progress notification. Most clients give up after 60,000.',
      ),
    TOOL_CALL_HARD_LIMIT_MS: count(100, 86_400_000)
      .default(300_000)
      .describe('Milliseconds a tool call may take at most, whatever its progress.'),
    TOOL_CHANGE_POLICY: z
      .enum(['withhold', 'allow'])
      .default('withhold')
      .describe('What happens to a tool whose definition changed after approval.'),
    LEASE_SECONDS: count(1, 86_400).default(180).describe('Seconds a lease lasts from its last renewal.'),
    MCP_LEASE_SECONDS: count(1, 86_400)
      .default(900)
      .describe('Seconds a lease lasts that an agent took over MCP, from the last request that renews it.'),
    MAX_ATTEMPTS: count(1, 1000)
      .default(5)
      .describe('Failed attempts after which an issue is handed to a person.'),
    GATE_TTL_HOURS: decimal(0.001, 87_600)
      .default(168)
      .describe('Hours after which a question or approval without an answer expires.'),
    APPROVAL_WAIT_SECONDS: count(0, 3600)
      .default(25)
      .describe('Seconds that a tool call waits for the decision of a person before the agent moves on.'),
    ATTACHMENT_MAX_BYTES: count(1, 10_737_418_240)
      .default(26_214_400)
      .describe('Largest attachment in bytes.'),
    ATTACHMENT_STORE: z.enum(['disk', 's3']).default('disk').describe('Where attachments are stored.'),
    S3_ENDPOINT: z.url().optional().describe('Address of the S3-compatible store.'),
    S3_REGION: text.default('us-east-1').describe('Region of the bucket.'),
    S3_BUCKET: text.optional().describe('Bucket of the attachments.'),
    S3_FORCE_PATH_STYLE: boolean
      .default(true)
      .describe('Put the bucket into the path, as most stores expect it; false: into the host name.'),
    S3_ACCESS_KEY_ID: text.optional().describe('Access key of the bucket.'),
    S3_SECRET_ACCESS_KEY: text.optional().describe('Secret of that access key.'),
    RATE_LIMIT_PER_MINUTE: count(0, 10_000_000)
      .default(3000)
      .describe('Requests per key and minute in each process; 0 is off.'),
    ...retentionSettings,
    SESSION_IDLE_HOURS: count(1, 8_760)
      .default(12)
      .describe('Hours without use after which the session of a person ends.'),
    SESSION_MAX_DAYS: count(1, 3_650)
      .default(7)
      .describe('Days after which the session of a person ends, whatever its use.'),
    ...signInSettings,
    ...limitSettings,
  })
  .superRefine(refuseCombinations);

export type SettingValues = z.infer<typeof settingsSchema>;

/** The defaults that depend on other variables. */
export const dependentDefaults = {
  ALLOW_HTTP_ON_LOOPBACK: ({ NODE_ENV }: SettingValues): boolean => NODE_ENV !== 'production',
  ENCRYPTION_KEYRING_FILE: (dataDir: string): string => join(dataDir, 'keyring.json'),
  MCP_CALLS_PER_AGENT: ({ MCP_CALLS_TOTAL }: SettingValues): number =>
    Math.max(1, Math.floor(MCP_CALLS_TOTAL / 8)),
};
