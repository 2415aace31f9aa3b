import { coerce, parse, satisfies } from 'semver';
import { Problem } from '../../platform/http/problem.js';
import type { CatalogEntry, StdioEntry } from './catalog-entry.js';

/** The runtimes of this host, as far as the catalogue needs them. */
export interface HostRuntimeReport {
  node: HostRuntime;
  python: HostRuntime;
  pipx: HostRuntime;
}

export type HostRuntime = { detected: true; version: string } | { detected: false };

/** Reports the runtimes of this host. The application binds it, because this folder imports no other MCP folder. */
export abstract class HostRuntimes {
  abstract report(): Promise<HostRuntimeReport>;
}

const HOW_TO_GET = {
  node: 'Node.js from nodejs.org',
  python: 'Python 3 with its venv module',
  pipx: 'pipx (pipx.pypa.io)',
};

const LOOK_AGAIN = 'and look again with GET /api/mcp/runtime?refresh=true.';

/** Whether an entry can be installed on this host; `reason` says in a sentence why not. */
export interface Installability {
  installable: boolean;
  reason: string | null;
}

/**
 * Returns whether an entry can be installed: its package is exact with integrity, somebody has reviewed it if it was
 * imported, and the host has its runtime in the range that it needs (contract §3.1).
 */
export function installable(
  entry: CatalogEntry,
  runtimes: HostRuntimeReport,
  rule: ReviewRule,
): Installability {
  const reason = pinReason(entry) ?? reviewReason(entry, rule) ?? runtimeReason(entry, runtimes);
  return { installable: reason === null, reason };
}

/** @throws {NotInstallable} when the entry was imported, no person has reviewed it, and the operator requires that */
export function refuseUnlessReviewed(entry: CatalogEntry, rule: ReviewRule): void {
  const reason = reviewReason(entry, rule);
  if (reason) throw new NotInstallable(reason);
}

/** The setting ALLOW_UNVERIFIED. */
export interface ReviewRule {
  allowUnverified: boolean;
}

/**
 * @throws {NotInstallable} when the entry names no exact package with integrity
 * @throws {RuntimeNotDetected} when this host lacks the runtime or has another version
 */
export function refuseUnlessInstallable(entry: CatalogEntry, runtimes: HostRuntimeReport): void {
  const noPin = pinReason(entry);
  if (noPin) throw new NotInstallable(noPin);
  const noRuntime = runtimeReason(entry, runtimes);
  if (noRuntime) throw new RuntimeNotDetected(noRuntime);
}

function pinReason(entry: CatalogEntry): string | null {
  if (entry.transport !== 'stdio') return null;
  const { registry, version, integrity } = entry.manifest.package;
  if (registry === 'none' || (version && integrity)) return null;
  return `${entry.name} has no exact package version with integrity: pin both in a copy of the entry in CATALOG_DIRS.`;
}

/** An entry that an operator wrote is the operator's word; one from a registry is a stranger's until it is reviewed. */
function reviewReason(
  { name, verified, importedFrom }: CatalogEntry,
  { allowUnverified }: ReviewRule,
): string | null {
  if (verified || allowUnverified || (importedFrom ?? null) === null) return null;
  return `${name} was imported from a registry and no person has reviewed it: set "verified": true and "verifiedBy" in its file after a review, or allow all such entries with ALLOW_UNVERIFIED=true.`;
}

function runtimeReason(entry: CatalogEntry, runtimes: HostRuntimeReport): string | null {
  if (entry.transport !== 'stdio' || entry.runtime === 'none') return null;
  const found = runtimes[entry.runtime];
  if (!found.detected)
    return `${entry.name} needs ${entry.runtime}, which was not found on this host: install ${HOW_TO_GET[entry.runtime]}, put it on the PATH of the service ${LOOK_AGAIN}`;
  const said = entry.verified ? outOfRange(entry, runtimes) : null;
  return said && `${said}: install ${HOW_TO_GET[languageOf(entry)]} in that version ${LOOK_AGAIN}`;
}

/**
 * Returns what an unreviewed entry asks of the runtime and this host lacks, or null. A range that no person has reviewed
 * is that of the package's maker, who often names the newest version: the verification decides (contract §3.1).
 */
export function runtimeWarning(entry: CatalogEntry, runtimes: HostRuntimeReport): string | null {
  if (entry.transport !== 'stdio' || entry.runtime === 'none' || entry.verified) return null;
  const said = outOfRange(entry, runtimes);
  return (
    said && `${said}. If the server does not work, install ${HOW_TO_GET[languageOf(entry)]} in that version.`
  );
}

function languageOf({ runtime }: StdioEntry): 'node' | 'python' {
  return runtime === 'node' ? 'node' : 'python';
}

/** Checks the range of Node or Python. The Python of a pipx is unknown if the PATH has none; then no range applies. */
function outOfRange(entry: StdioEntry, runtimes: HostRuntimeReport): string | null {
  const language = languageOf(entry);
  const found = runtimes[language];
  if (entry.runtimeVersion === null || !found.detected) return null;
  const version = parse(found.version, { loose: true }) ?? coerce(found.version);
  if (version && satisfies(version, entry.runtimeVersion, { includePrerelease: true })) return null;
  return `${entry.name} needs ${language} ${entry.runtimeVersion}, and this host has ${found.version}`;
}

/** 409: the entry names no exact package, so no host can install it. */
export class NotInstallable extends Problem {
  constructor(reason: string) {
    super('not_installable', reason);
  }
}

/** 409: this host lacks the runtime that the entry needs, or has a version out of its range. */
export class RuntimeNotDetected extends Problem {
  constructor(reason: string) {
    super('runtime_not_detected', reason);
  }
}
