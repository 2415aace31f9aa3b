import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';

/** What a process may be started as (`ROLE`, contract §9.3). */
export const roles = ['all', 'api', 'tools', 'worker'] as const;

export type Role = (typeof roles)[number];

/** What the processes of a role do, beside /livez, /readyz and /metrics. */
export interface Duties {
  /** They answer the API, the MCP endpoint and the dashboard, and execute approved calls. */
  requests: boolean;
  /** They run MCP servers, for themselves or for the processes that answer requests. */
  servers: boolean;
  /** They deliver webhooks, act on schedules, run the chores, expire gates, remove the bytes of deleted files, measure leases. */
  background: boolean;
}

const DUTIES: Record<Role, Duties> = {
  all: { requests: true, servers: true, background: true },
  api: { requests: true, servers: false, background: false },
  tools: { requests: false, servers: true, background: false },
  worker: { requests: false, servers: false, background: true },
};

export function dutiesOf(role: Role): Duties {
  return DUTIES[role];
}

/** What a process of a start does (contract §9.5): it answers requests, or it runs MCP servers and background work. */
export type PartKind = 'api' | 'host';

/** One of the processes that a start divides its work among. */
export interface Part {
  /** Such as `api-2`, or `host`. A process that replaces another has its name. */
  name: string;
  kind: PartKind;
  /** How many processes of the start answer requests. */
  apis: number;
}

/** With `auto`. Beyond it PostgreSQL on the same machine is what limits. */
const MOST = 8;
/** What a process needs at rest is a third of it; the rest is for requests that are open at once. */
const BYTES_PER_PROCESS = 768 * 1024 * 1024;

/** What the processes of a start may use of their machine. */
export interface Resources {
  /** Processors, which may be a fraction. */
  cores: number;
  memoryBytes: number;
}

/**
 * Returns how many processes answer requests.
 * @param setting PROCESSES
 */
export function apisFor(setting: string, role: Role, available: () => Resources = resources): number {
  if (role !== 'all' && role !== 'api') return 1;
  if (setting !== 'auto') return Number(setting);
  const { cores, memoryBytes } = available();
  return Math.max(1, Math.floor(Math.min(MOST, cores, memoryBytes / BYTES_PER_PROCESS)));
}

/** The processes that a start divides its work among; empty where one process does everything. */
export function partsFor(apis: number, role: Role): Part[] {
  if (apis === 1) return [];
  const answering = Array.from({ length: apis }, (_, index): Part => ({
    name: `api-${index + 1}`,
    kind: 'api',
    apis,
  }));
  // The processes of ROLE=api have tools hosts and background work elsewhere.
  return role === 'all' ? [...answering, { name: 'host', kind: 'host', apis }] : answering;
}

/** Whether this process does what must be done once before the others begin: migrations, key ring, Owner. */
export function isFirst({ name }: Part): boolean {
  return name === 'api-1';
}

/** A limit of the machine, divided among `apis` processes that share it evenly. */
export function shareOf(limit: number, apis: number, least = 1): number {
  return Math.min(limit, Math.max(least, Math.ceil(limit / apis)));
}

/** The processors of the affinity of this process, and the memory of its machine; less where its control group has less. */
function resources(): Resources {
  const quota = quotaOf(firstLineOf('/sys/fs/cgroup/cpu.max')) ?? Infinity;
  // 0, or more than the machine has, where nothing limits it.
  const limit = process.constrainedMemory() || Infinity;
  return {
    cores: Math.min(availableParallelism(), quota),
    memoryBytes: Math.min(totalmem(), limit),
  };
}

/** Reads `cpu.max` of a control group, such as `150000 100000` for one and a half processors; null without a quota. */
export function quotaOf(line: string): number | null {
  const [quota, period] = line.split(' ').map(Number);
  return quota && period ? quota / period : null;
}

function firstLineOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').split('\n')[0]!;
  } catch {
    // Outside of Linux, or outside of a control group with a quota.
    return '';
  }
}
