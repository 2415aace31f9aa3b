/**
 * A catalogue entry as the service holds it: the form of `catalog-entry.schema.json` with every default filled
 * in. What each field means stands in the descriptions of that schema.
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
  /** A semver range of the runtime; for pipx, of the Python beneath it. */
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
}

export interface StdioManifest extends CommonManifest {
  package: PackagePin;
  launch: { command: string; args: string[]; cwd: string | null };
  runInstallScripts: boolean;
}

export interface RemoteManifest extends CommonManifest {
  url: string;
  headers: Record<string, string>;
}

interface CommonManifest {
  sharing: 'shared' | 'agent';
  credentialProbe: { tool: string; arguments: Record<string, unknown> } | null;
  serverJson: Record<string, unknown> | null;
}

/** Where the server's code comes from; a file may leave out what has no meaning for its registry. */
export interface PackagePin {
  registry: 'npm' | 'pypi' | 'none';
  name?: string | null;
  version?: string | null;
  integrity?: string | null;
}
