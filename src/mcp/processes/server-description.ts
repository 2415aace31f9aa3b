/**
 * What this folder needs to know of an MCP server in order to run it or reach it: plain data, with
 * credentials already opened, so that nothing here knows an entity, a database or a key ring.
 */
export type ServerDescription = (StdioServer | RemoteServer) & {
  serverId: string;
  /** For messages: what people call the server. */
  name: string;
  /** Values to mask in everything that the server says: results, errors, logs. */
  secrets: string[];
  /** Changes with credentials, variables or package: a new revision drains and replaces live connections. */
  revision: string;
  /** The era that an earlier connection found (`McpConnection.verdict`), of this very revision: saves the probe. */
  prior?: EraVerdict;
};

/** A server that runs on this host as a child process and speaks over its standard streams. */
export interface StdioServer {
  transport: 'stdio';
  /** An absolute path, or a name to be found on the fixed PATH that children get. */
  command: string;
  args: string[];
  cwd: string;
  /** The declared variables; PATH, HOME, TMPDIR and LANG are added, nothing else. */
  env: Record<string, string>;
  /** Written with mode 0600 at start, the path put into `variable`, removed at stop. */
  secretFiles: { variable: string; content: string }[];
  /** Where the package lies: readable, never writable, for the server. */
  installDir: string | null;
  /** The server's private writable folder, created with mode 0700. */
  dataDir: string;
  /** Further paths of this host that the sandbox mounts. */
  readOnlyPaths: string[];
  writablePaths: string[];
}

/** A server elsewhere: `http` is Streamable HTTP, `sse` the older pair of event stream and POST. */
export interface RemoteServer {
  transport: 'http' | 'sse';
  url: string;
  headers: Record<string, string>;
}

/**
 * What was found out about a server's protocol era, to be kept as JSON with its date. A wrong `modern`
 * fails loudly; a stale `legacy` works for ever in silence, hence the date (see `isFresh` in era-verdict.ts).
 */
export type EraVerdict = { at: string } & (
  { era: 'legacy' } | { era: 'modern'; discover: Record<string, unknown> }
);
