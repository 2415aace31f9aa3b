import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Role } from '../config/roles.js';

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

/**
 * Returns how many processes answer requests.
 * @param setting PROCESSES
 * @param cores how many processors the process may use
 */
export function apisFor(setting: string, role: Role, cores = availableCores()): number {
  if (role !== 'all' && role !== 'api') return 1;
  return setting === 'auto' ? Math.max(1, Math.min(MOST, cores)) : Number(setting);
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

/** The processors that this process may use: those of its affinity, or fewer by the quota of its control group. */
function availableCores(): number {
  const allowed = availableParallelism();
  const quota = quotaOf(firstLineOf('/sys/fs/cgroup/cpu.max'));
  return quota === null ? allowed : Math.max(1, Math.min(allowed, Math.floor(quota)));
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
