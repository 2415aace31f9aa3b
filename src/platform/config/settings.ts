import { resolve } from 'node:path';
import { SecretFiles } from './secret-files.js';
import { dependentDefaults, type SettingValues } from './settings.schema.js';
import type { ParentChannel } from './parent-channel.js';
import { dividedLimits, type Limits, limitsOf } from './limits-in-bytes-numbers-and-retention.schema.js';
import { withStableTls } from './database-tls.js';
import { oidcOf, type OidcSettings } from './oidc-settings.schema.js';
import { apisFor, type Duties, dutiesOf, type Role, shareOf } from './process-roles-and-plan.js';

/** The object store of the attachments (settings S3_*). */
export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  /** Whether the bucket is in the path of an address instead of its host name. */
  forcePathStyle: boolean;
  /** The present one, as the secret below: keys that are in files may change in operation. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Reads the files of both again, after the store refused them. Returns whether one has changed. */
  renewKey(): boolean;
}

/** Returns null when attachments are on disk. */
export function s3Of(values: SettingValues, secrets: SecretFiles): S3Settings | null {
  if (values.ATTACHMENT_STORE !== 's3') return null;
  return {
    endpoint: values.S3_ENDPOINT!,
    region: values.S3_REGION,
    bucket: values.S3_BUCKET!,
    forcePathStyle: values.S3_FORCE_PATH_STYLE,
    get accessKeyId() {
      return secrets.present('S3_ACCESS_KEY_ID') ?? values.S3_ACCESS_KEY_ID!;
    },
    get secretAccessKey() {
      return secrets.present('S3_SECRET_ACCESS_KEY') ?? values.S3_SECRET_ACCESS_KEY!;
    },
    renewKey: () => secrets.look('S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'),
  };
}

const POOL_SIZE = 10;
/** With fewer a process waits for connections while the others have them idle. */
const POOL_PER_PROCESS = 4;

/** The version of the service, as package.json has it. */
export const VERSION = '0.12.0';

/** Where traces go, with the share of those that begin here. */
interface TracingSettings {
  url: string;
  serviceName: string;
  share: number;
  /** The headers for the collector as their file has them now; null: the SDK reads them from the environment. */
  headers?: () => string | null;
}

/**
 * The settings of one process, read once at start (contract §9). `settings.schema.ts` describes each variable. Nothing
 * else in the service reads the environment. Secrets that are in files may change in operation.
 */
export class Settings {
  readonly production: boolean;
  readonly role: Role;
  /** How many processes of this start answer requests; 1: this one does everything that its role has. */
  readonly apis: number;
  /** What this process does. */
  readonly duties: Duties;
  /** Where a process of the role `tools` listens for the others. */
  readonly toolsListen: { host: string; port: number } | null;
  readonly toolsAdvertise: string | null;
  readonly port: number;
  /** null: the probes are answered at `port` only. */
  readonly healthPort: number | null;
  readonly host: string;
  /** Without a trailing slash; null until the address listened on is known. */
  readonly publicUrl: string | null;
  /** Absolute. */
  readonly dataDir: string;
  /** As it was at the start, see `secrets`; null: the embedded database. */
  readonly databaseUrl: string | null;
  /** Past a pooler, for what needs a session of its own; null: the embedded database. */
  readonly databaseDirectUrl: string | null;
  /** Whether `databaseUrl` leads to a pooler, whose connections are not the service's own. */
  readonly isDatabasePooled: boolean;
  readonly usesPreparedStatements: boolean;
  readonly databasePoolSize: number;
  readonly logLevel: SettingValues['LOG_LEVEL'];
  readonly logFormat: SettingValues['LOG_FORMAT'];
  /** null: no traces. */
  readonly tracing: TracingSettings | null;
  /** Whether the dashboard is served. */
  readonly dashboard: boolean;
  readonly dashboardOrigins: string[];
  readonly trustedProxies: string[];
  readonly tls: { certFile: string; keyFile: string } | null;
  readonly allowHttpOnLoopback: boolean;
  readonly bootstrapOwner: { email: string | null; password: string | null; apiKey: string | null };
  /** Absolute. */
  readonly encryptionKeyringFile: string;
  readonly catalogDirs: string[];
  readonly allowUnverified: boolean;
  /** Without a slash at its end. */
  readonly mcpRegistryUrl: string;
  readonly publishRegistry: boolean;
  readonly outboundAllowedHosts: string[];
  readonly mcpIdleSeconds: number;
  readonly mcpSessionIdleSeconds: number;
  readonly mcpSandbox: SettingValues['MCP_SANDBOX'];
  readonly mcpMaxProcesses: number;
  readonly mcpProcessMemoryMb: number;
  readonly mcpCallsPerProcess: number;
  readonly mcpCallsTotal: number;
  readonly mcpCallsPerAgent: number;
  readonly toolCallTimeoutMs: number;
  readonly toolCallHardLimitMs: number;
  readonly toolChangePolicy: SettingValues['TOOL_CHANGE_POLICY'];
  readonly leaseSeconds: number;
  /** The same for a lease that an agent took over MCP. */
  readonly mcpLeaseSeconds: number;
  readonly maxAttempts: number;
  readonly gateTtlSeconds: number;
  readonly approvalWaitSeconds: number;
  readonly attachmentMaxBytes: number;
  readonly attachmentStore: SettingValues['ATTACHMENT_STORE'];
  readonly s3: S3Settings | null;
  /** Requests per key and minute; 0 is off. */
  readonly rateLimitPerMinute: number;
  readonly auditRetentionDays: number;
  /** 0 keeps the whole journal. */
  readonly journalRetentionDays: number;
  readonly deliveryRetentionDays: number;
  /** 0 keeps the timelines of issues. */
  readonly timelineRetentionDays: number;
  readonly usageRetentionDays: number;
  /** Whether a month has to be archived before its age drops it. */
  readonly retentionArchive: boolean;
  readonly sessionIdleHours: number;
  readonly sessionMaxDays: number;
  /** null: people sign in with passwords only. */
  readonly oidc: OidcSettings | null;
  /** false: only the first Owner signs in with a password, from this host. */
  readonly passwordLogin: boolean;
  /** The limits in bytes and numbers, of this process. */
  readonly limits: Limits;
  /** The same, of all processes of the start together. */
  readonly limitsTogether: Limits;

  /**
   * @param warnings about settings that are accepted but should be changed, one sentence each
   * @param secrets those that are in files; their values are in `values` too
   * @param parent the supervisor of this process, where a start is divided among several
   */
  constructor(
    private readonly values: SettingValues,
    readonly warnings: readonly string[] = [],
    readonly secrets: SecretFiles = SecretFiles.none(),
    readonly parent: ParentChannel | null = null,
  ) {
    this.production = values.NODE_ENV === 'production';
    const part = parent?.part ?? null;
    this.apis = part?.apis ?? apisFor(values.PROCESSES, values.ROLE);
    this.role = part ? ROLES[part.kind] : values.ROLE;
    this.duties = part?.kind === 'host' ? HOST_DUTIES : dutiesOf(this.role);
    this.toolsListen = toolsListenOf(values, part);
    // Its default is the address where it listens, whose port is known only then: see tools-endpoint-and-announcement.worker.ts.
    this.toolsAdvertise = part ? null : (values.TOOLS_ADVERTISE ?? null);
    this.port = values.PORT;
    this.healthPort = values.HEALTH_PORT ?? null;
    this.host = values.HOST;
    this.publicUrl = values.PUBLIC_URL?.replace(/\/+$/, '') ?? null;
    this.dataDir = resolve(values.DATA_DIR);
    this.databaseUrl = values.DATABASE_URL === undefined ? null : withStableTls(values.DATABASE_URL);
    const directUrl = values.DATABASE_DIRECT_URL;
    this.databaseDirectUrl = directUrl === undefined ? this.databaseUrl : withStableTls(directUrl);
    this.isDatabasePooled = values.DATABASE_DIRECT_URL !== undefined;
    this.usesPreparedStatements = values.DATABASE_PREPARED === 'on';
    const connections = values.DATABASE_POOL_SIZE ?? Math.max(POOL_SIZE, POOL_PER_PROCESS * this.apis);
    this.databasePoolSize = shareOf(connections, this.apis, 2);
    this.logLevel = values.LOG_LEVEL;
    this.logFormat = values.LOG_FORMAT;
    this.tracing = tracingOf(values, secrets);
    this.dashboard = values.DASHBOARD === 'on';
    this.dashboardOrigins = values.DASHBOARD_ORIGINS;
    this.trustedProxies = values.TRUSTED_PROXIES;
    this.tls =
      values.TLS_CERT_FILE && values.TLS_KEY_FILE
        ? { certFile: values.TLS_CERT_FILE, keyFile: values.TLS_KEY_FILE }
        : null;
    this.allowHttpOnLoopback =
      values.ALLOW_HTTP_ON_LOOPBACK ?? dependentDefaults.ALLOW_HTTP_ON_LOOPBACK(values);
    this.bootstrapOwner = {
      email: values.BOOTSTRAP_OWNER_EMAIL ?? null,
      password: values.BOOTSTRAP_OWNER_PASSWORD ?? null,
      apiKey: values.BOOTSTRAP_OWNER_API_KEY ?? null,
    };
    this.encryptionKeyringFile = resolve(
      values.ENCRYPTION_KEYRING_FILE ?? dependentDefaults.ENCRYPTION_KEYRING_FILE(this.dataDir),
    );
    this.catalogDirs = values.CATALOG_DIRS.map((folder) => resolve(folder));
    this.allowUnverified = values.ALLOW_UNVERIFIED;
    this.mcpRegistryUrl = values.MCP_REGISTRY_URL.replace(/\/+$/, '');
    this.publishRegistry = values.PUBLISH_REGISTRY;
    this.outboundAllowedHosts = values.OUTBOUND_ALLOWED_HOSTS;
    this.mcpIdleSeconds = values.MCP_IDLE_SECONDS;
    this.mcpSessionIdleSeconds = values.MCP_SESSION_IDLE_SECONDS;
    this.mcpSandbox = values.MCP_SANDBOX;
    this.mcpMaxProcesses = values.MCP_MAX_PROCESSES;
    this.mcpProcessMemoryMb = values.MCP_PROCESS_MEMORY_MB;
    this.mcpCallsPerProcess = values.MCP_CALLS_PER_PROCESS;
    this.mcpCallsTotal = values.MCP_CALLS_TOTAL;
    this.mcpCallsPerAgent = values.MCP_CALLS_PER_AGENT ?? dependentDefaults.MCP_CALLS_PER_AGENT(values);
    this.toolCallTimeoutMs = values.TOOL_CALL_TIMEOUT_MS;
    this.toolCallHardLimitMs = values.TOOL_CALL_HARD_LIMIT_MS;
    this.toolChangePolicy = values.TOOL_CHANGE_POLICY;
    this.leaseSeconds = values.LEASE_SECONDS;
    this.mcpLeaseSeconds = values.MCP_LEASE_SECONDS;
    this.maxAttempts = values.MAX_ATTEMPTS;
    this.gateTtlSeconds = values.GATE_TTL_HOURS * 3600;
    this.approvalWaitSeconds = values.APPROVAL_WAIT_SECONDS;
    this.attachmentMaxBytes = values.ATTACHMENT_MAX_BYTES;
    this.attachmentStore = values.ATTACHMENT_STORE;
    this.s3 = s3Of(values, secrets);
    this.rateLimitPerMinute = values.RATE_LIMIT_PER_MINUTE;
    this.auditRetentionDays = values.AUDIT_RETENTION_DAYS;
    this.journalRetentionDays = values.JOURNAL_RETENTION_DAYS;
    this.deliveryRetentionDays = values.DELIVERY_RETENTION_DAYS;
    this.timelineRetentionDays = values.TIMELINE_RETENTION_DAYS;
    this.usageRetentionDays = values.USAGE_RETENTION_DAYS;
    this.retentionArchive = values.RETENTION_ARCHIVE === 'on';
    this.sessionIdleHours = values.SESSION_IDLE_HOURS;
    this.sessionMaxDays = values.SESSION_MAX_DAYS;
    this.oidc = oidcOf(values, secrets);
    this.passwordLogin = values.PASSWORD_LOGIN === 'on';
    this.limitsTogether = limitsOf(values);
    this.limits = dividedLimits(this.limitsTogether, this.apis);
  }

  /** The key between processes, as its file has it now; null: derived from the key ring. */
  get internalKey(): string | null {
    return this.secrets.latest('INTERNAL_KEY') ?? this.values.INTERNAL_KEY ?? null;
  }

  /** The key ring that is not in a file of its own, as ENCRYPTION_KEYS_FILE has it now. */
  get encryptionKeys(): string | null {
    return this.secrets.latest('ENCRYPTION_KEYS') ?? this.values.ENCRYPTION_KEYS ?? null;
  }
}

function tracingOf(values: SettingValues, secrets: SecretFiles): TracingSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = values;
  if (!endpoint) return null;
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    serviceName: values.OTEL_SERVICE_NAME,
    share: values.OTEL_TRACES_SAMPLER_ARG,
    headers: () => secrets.latest('OTEL_EXPORTER_OTLP_HEADERS'),
  };
}

/** The roles of the processes among which a start is divided. */
const ROLES = { api: 'api', host: 'tools' } as const;

/** The process beside those that answer requests does everything else. */
const HOST_DUTIES: Duties = { requests: false, servers: true, background: true };

/** The processes of one start reach each other on this host, at any free port. */
function toolsListenOf(values: SettingValues, part: ParentChannel['part'] | null): Settings['toolsListen'] {
  if (part) return part.kind === 'host' ? { host: '127.0.0.1', port: 0 } : null;
  return values.TOOLS_LISTEN ? addressOf(values.TOOLS_LISTEN) : null;
}

/** Splits `host:port`; the host may be an IPv6 address in brackets. */
function addressOf(text: string): { host: string; port: number } {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) };
}
