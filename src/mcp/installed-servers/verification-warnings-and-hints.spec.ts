import { describe, expect, it } from '@jest/globals';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import type { McpConnection } from '../processes/connection/mcp-connection.js';
import { WarningList } from '../server-records/definition-rules-and-warnings.js';
import type { ListedTool } from '../server-records/tool-definition.js';
import { startHint, warnOfCost, warnOfSchemas, warnOfStray } from './verification-warnings-and-hints.js';

const entry = (registry: string, changes: object = {}, names: string[] = []) =>
  ({
    transport: 'stdio',
    manifest: {
      package: { registry },
      launch: { command: 'node', args: ['index.js'], cwd: null },
      runInstallScripts: false,
      ...changes,
    },
    environmentVariables: names.map((name) => ({ name })),
  }) as unknown as CatalogEntry;

describe('startHint', () => {
  it.each([
    ['a module of Node', "Error: Cannot find module 'acme'"],
    ['a module of Python', "ModuleNotFoundError: No module named 'acme'"],
    ['a file', "ENOENT: no such file or directory, open '/srv/acme/settings.json'"],
  ])("leads to launch.cwd where a developer's own server misses %s", (_, stderr) => {
    expect(startHint(entry('none'), stderr)).toMatch(/sandbox shows.*launch\.cwd.*filepath/);
    expect(startHint(entry('npm'), stderr)).toBeNull();
  });

  it.each([
    ["Error: Cannot find module '/srv/acme/indx.js'", 'indx.js'],
    [
      "python3: can't open file '/srv/acme/indx.py': [Errno 2] No such file or directory",
      '/srv/acme/indx.py',
    ],
  ])('says that a file of launch.args is nowhere: %s', (stderr, argument) => {
    const launch = { command: 'node', args: [argument], cwd: '/srv/acme' };
    expect(startHint(entry('none', { launch }), stderr)).toMatch(
      /^The file that launch\.args names, \/srv\/acme\/indx\.\w+, does not exist on this host\./,
    );
  });

  it('names the module that is to be installed where launch.cwd has it not', () => {
    const launch = { command: 'node', args: ['index.js'], cwd: '/srv/acme' };
    const hint = (stderr: string) => startHint(entry('none', { launch }), stderr);
    expect(hint("Cannot find package '@acme/sdk' imported from /srv/acme/index.js")).toMatch(
      /^The module @acme\/sdk is not in \/srv\/acme.*npm install @acme\/sdk/,
    );
    expect(hint("Error: Cannot find module 'zod/v4'")).toMatch(/^The module zod is not/);
    expect(hint("Error: Cannot find module './lib/own.js'")).toMatch(/^The sandbox shows/);
  });

  it('leads to runInstallScripts where a native module was not built', () => {
    const stderr = "Error: Cannot find module '../build/Release/keytar.node'";
    expect(startHint(entry('npm'), stderr)).toMatch(/runInstallScripts/);
    expect(startHint(entry('npm', { runInstallScripts: true }), stderr)).toBeNull();
  });

  it('names the variable that helps where a server writes beside its code', () => {
    const stderr = "Error: EROFS: read-only file system, open '/x/memory.json'";
    const withPath = entry('npm', {}, ['ACME_KEY', 'MEMORY_FILE_PATH']);
    expect(startHint(withPath, stderr)).toMatch(/give MEMORY_FILE_PATH a default below/);
    expect(startHint(entry('npm'), stderr)).toMatch(/\{dataDir\} among launch\.args/);
  });

  it('says nothing of other causes, nor of a remote server', () => {
    expect(startHint(entry('npm'), 'Error: ACME_KEY is required')).toBeNull();
    expect(startHint({ transport: 'http' } as CatalogEntry, 'EROFS')).toBeNull();
  });
});

const tools = (count: number, description = '', invalid: string | null = null): ListedTool[] =>
  Array.from({ length: count }, (_, at) => ({
    definition: { name: `tool-${at}`, description, inputSchema: { type: 'object' } },
    invalid,
  }));
const said = (listed: ListedTool[]) => {
  const warnings = new WarningList();
  warnOfCost(listed, warnings);
  return warnings.all();
};

describe('lines on stdout that are no messages', () => {
  it('are counted, and the first is shown', () => {
    const messageOf = (count: number) => {
      const warnings = new WarningList();
      warnOfStray({ stray: { count, first: 'ready' } } as McpConnection, warnings);
      return warnings.all()[0]?.message;
    };
    expect(messageOf(1)).toBe(
      'The server wrote 1 line to stdout that is no message of MCP, and it was skipped. Logs belong to stderr. The first: ready',
    );
    expect(messageOf(3)).toContain('3 lines to stdout that are no messages of MCP, and they were skipped.');
  });
});

describe('an input schema', () => {
  const warned = (inputSchema: Record<string, unknown>, invalid: string | null = null) => {
    const warnings = new WarningList();
    warnOfSchemas([{ definition: { name: 'echo', inputSchema }, invalid }], warnings);
    return warnings.all();
  };

  it('that model APIs refuse is named with the place of its error', () => {
    const schema = { type: 'object', properties: { a: { type: 'strin' } } };
    expect(warned(schema)).toEqual([
      {
        subject: 'echo',
        message: expect.stringMatching(
          /^inputSchema is no valid JSON Schema, because properties\.a\.type must be .*: array, boolean, .*string\. Model APIs refuse/,
        ),
      },
    ]);
    expect(warned(schema, 'it has been withheld')).toEqual([]);
    expect(warned({ type: 'object', properties: { a: { type: 'object', required: true } } })).toHaveLength(1);
  });

  it.each([
    [{ type: 'object' }],
    [
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: { a: { prefixItems: [{}] } },
      },
    ],
    [{ $schema: 'http://json-schema.org/draft-04/schema#', type: 'object', id: 'a', definitions: {} }],
    [
      {
        type: 'object',
        properties: { a: { type: ['string', 'null'], pattern: '^[\\w-.]+$', format: 'mine' } },
      },
    ],
    [
      {
        type: 'object',
        properties: { a: { $ref: '#/properties/b' }, b: { items: { $ref: '#' }, nullable: true } },
      },
    ],
  ])('is not warned of where it is one: %j', (schema) => {
    expect(warned(schema)).toEqual([]);
  });
});

describe('the cost of a list', () => {
  it('is told where it has many tools or many bytes', () => {
    expect(said(tools(101))).toEqual([
      { subject: 'tools/list', message: expect.stringMatching(/101 tools and 7 kB: about 2,000 tokens/) },
    ]);
    expect(said(tools(2, 'x'.repeat(60_000)))[0]?.message).toMatch(/2 tools and 121 kB: about 30,000 tokens/);
  });

  it('is not told of an ordinary list, nor for tools that agents do not get', () => {
    expect(said(tools(100))).toEqual([]);
    expect(said(tools(500, '', 'it is no tool'))).toEqual([]);
  });
});
