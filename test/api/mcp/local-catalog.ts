import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SERVERS = resolve(import.meta.dirname, '../../support/mcp-servers');

/** A variable of an entry; other fields have the schema's defaults. */
export type Variable = { name: string } & Record<string, unknown>;

/** An operator's catalogue folder for CATALOG_DIRS, with entries of registry `none` that run the test servers. */
export class LocalCatalog {
  readonly folder = mkdtempSync(join(tmpdir(), 'awp-catalog-'));
  /** A copy of the test servers, because a sandboxed server sees only what its entry names and not the checkout. */
  readonly servers = join(this.folder, 'servers');

  constructor() {
    mkdirSync(this.servers);
    cpSync(SERVERS, this.servers, { recursive: true });
  }

  /** Adds an entry that runs `node <script> <args>`. */
  stdio(
    id: string,
    [script, ...args]: string[],
    fields: { variables?: Variable[]; manifest?: object } & Record<string, unknown> = {},
  ): this {
    const { manifest, variables = [], ...rest } = fields;
    const launch = { command: 'node', args: [join(this.servers, script!), ...args], cwd: this.servers };
    return this.write(id, {
      transport: 'stdio',
      runtime: 'none',
      manifest: { package: { registry: 'none' }, launch, ...manifest },
      environmentVariables: variables.map(whole),
      ...rest,
    });
  }

  http(
    id: string,
    url: string,
    fields: {
      variables?: Variable[];
      headers?: Record<string, string>;
      transport?: string;
      manifest?: object;
      version?: string;
    } = {},
  ): this {
    const { headers = {}, variables = [], transport = 'http', manifest, version = '1.0.0' } = fields;
    return this.write(id, {
      transport,
      runtime: 'none',
      manifest: { url, headers, ...manifest },
      environmentVariables: variables.map(whole),
      version,
    });
  }

  /** Writes the tools that `tools-from-file.mjs` lists from now on, and returns the path for its variable TOOLS_FILE. */
  toolsFile(name: string, tools: object[]): string {
    const path = join(this.servers, `${name}.tools.json`);
    writeFileSync(path, JSON.stringify(tools));
    return path;
  }

  /** Removes an entry; the catalogue must be reloaded afterwards. */
  withdraw(id: string): void {
    rmSync(join(this.folder, `${id}.json`));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private write(id: string, fields: Record<string, unknown>): this {
    const entry = {
      id,
      name: id,
      description: `The ${id} server.`,
      category: 'dev',
      version: '1.0.0',
      ...fields,
    };
    writeFileSync(join(this.folder, `${id}.json`), JSON.stringify(entry));
    return this;
  }
}

function whole(variable: Variable): Variable {
  return { description: variable.name, isRequired: false, isSecret: false, ...variable };
}
