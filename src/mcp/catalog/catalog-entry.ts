/**
 * A catalogue entry in memory: an object of `catalog-entry.schema.json` with every default filled in. The schema
 * describes each field.
 */
export type CatalogEntry = StdioEntry | RemoteEntry;

export const categories = ['database', 'saas', 'search', 'cloud', 'dev', 'productivity'] as const;
export const transports = ['stdio', 'http', 'sse'] as const;
export const runtimes = ['node', 'python', 'pipx', 'none'] as const;

export type Category = (typeof categories)[number];
export type Transport = (typeof transports)[number];
export type Runtime = (typeof runtimes)[number];

export interface StdioEntry extends EntryFacts {
  transport: 'stdio';
  runtime: Runtime;
  manifest: StdioManifest;
}

export interface RemoteEntry extends EntryFacts {
  transport: 'http' | 'sse';
  runtime: 'none';
  manifest: RemoteManifest;
}

interface EntryFacts {
  id: string;
  /** Whether the entry takes the place of the shipped one with its id; entries stored by an earlier release lack it. */
  replaces?: boolean;
  /** The address in a registry that the entry was read from; absent in entries of an earlier release. */
  importedFrom?: string | null;
  name: string;
  description: string;
  category: Category;
  verified: boolean;
  verifiedBy: string | null;
  version: string;
  publisher: string | null;
  homepage: string | null;
  license: string | null;
  installInstructions: string;
  environmentVariables: EnvironmentVariable[];
  /** A semver range of the runtime; for pipx, of the Python that it uses. */
  runtimeVersion: string | null;
}

export interface EnvironmentVariable {
  name: string;
  description: string;
  isRequired: boolean;
  isSecret: boolean;
  default: string | null;
  format: 'string' | 'number' | 'boolean' | 'filepath' | 'file' | null;
  choices: string[] | null;
  placeholder: string | null;
  pattern: string | null;
  access: 'read' | 'write';
  /** Where a program is looked for: without a value, the first of these paths that is on the host. */
  searchPaths?: string[] | null;
}

export interface StdioManifest extends CommonManifest {
  package: PackagePin;
  launch: { command: string; args: string[]; cwd: string | null };
  runInstallScripts: boolean;
  /** What the server may reach; absent or null in entries of an earlier release: the network of the host. */
  network?: NetworkNeed | null;
  /** Limits in place of those of the service; absent or null: none. */
  limits?: EntryLimits | null;
}

/** Limits that the processes of a server need, each in place of that of the service. */
export interface EntryLimits {
  memoryMb?: number;
  processes?: number;
  openFiles?: number;
  callTimeoutSeconds?: number;
}

export type NetworkNeed = 'none' | 'any' | { hosts: string[] };

export interface RemoteManifest extends CommonManifest {
  url: string;
  headers: Record<string, string>;
  /** How the service signs in to get access tokens for the server; absent or null: it does not. */
  oauth?: RemoteOauth | null;
}

/** How the service signs in at the authorization server that the remote server names; the texts may use variables. */
export type RemoteOauth = ClientCredentialsOauth | AuthorizationCodeOauth;

/** The service signs in by itself, as a client with credentials of its own. */
export interface ClientCredentialsOauth {
  grant: 'client_credentials';
  clientId: string;
  /** Sent by HTTP Basic. Exactly one of `clientSecret` and `privateKey` is given. */
  clientSecret?: string | null;
  /** A key in PEM form or a JSON Web Key, which signs an assertion (`private_key_jwt`). */
  privateKey?: string | null;
  scope?: string | null;
  /** The only authorization server that gets the credentials; absent or null: the one that the server names first. */
  issuer?: string | null;
}

/** A person signs in. Without a client id the service introduces itself to the authorization server. */
export interface AuthorizationCodeOauth {
  grant: 'authorization_code';
  clientId?: string | null;
  clientSecret?: string | null;
  scope?: string | null;
  /** The only authorization server that gets the credentials; absent or null: the one that the server names first. */
  issuer?: string | null;
}

interface CommonManifest {
  sharing: 'shared' | 'agent';
  credentialProbe: { tool: string; arguments: Record<string, unknown> } | null;
  /** Why there is none, as the end of a sentence; absent in entries of an earlier release. */
  noProbeReason?: string | null;
  serverJson?: Record<string, unknown> | null;
}

/** The package of the server's code. A file may leave out fields that do not apply to its registry. */
export interface PackagePin {
  registry: 'npm' | 'pypi' | 'none';
  name?: string | null;
  version?: string | null;
  integrity?: string | null;
  /** Every package that a package of pypi depends on. */
  closure?: PinnedDistribution[] | null;
}

/** A dependency with its archives for each Python and platform that the entry supports. */
export interface PinnedDistribution {
  name: string;
  version: string;
  files: { filename: string; sha256: string }[];
}

/** Returns one sentence on what a verification proves about the credentials of a server; null where it reads none. */
export function credentialCheckOf({ environmentVariables, manifest }: CatalogEntry): string | null {
  if (!environmentVariables.some(({ isSecret }) => isSecret)) return null;
  if (manifest.credentialProbe)
    return `Verify calls ${manifest.credentialProbe.tool}, which fails with a wrong credential.`;
  return uncheckedBecause(manifest.noProbeReason);
}

/** Returns the sentence for an entry without a credential probe. */
export function uncheckedBecause(reason: string | null | undefined): string {
  return reason
    ? `Verify cannot check this credential because ${reason}.`
    : 'Verify cannot check this credential because the entry names no harmless call that needs it.';
}

/** Returns whether a required variable without a default is secret. */
export function requiresCredentials(entry: CatalogEntry): boolean {
  return entry.environmentVariables.some(
    ({ isRequired, isSecret, default: fallback }) => isRequired && isSecret && fallback === null,
  );
}
