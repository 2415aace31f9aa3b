/**
 * The settings that lead a service to its database: through PgBouncer where the test run has one before that server.
 * @param url empty for the embedded database
 */
export function databaseSettings(url: string): Record<string, string> {
  const { AWP_TEST_POOLER_URL: pooler, AWP_TEST_ADMIN_URL: admin } = process.env;
  if (!url || !pooler || !admin || new URL(url).host !== new URL(admin).host) return { DATABASE_URL: url };
  return pooledSettings(url, new URL(pooler).host);
}

/** The settings for a pooler without prepared statements, as PgBouncer before 1.21 is, at `host`. */
export function pooledSettings(url: string, host: string): Record<string, string> {
  const through = new URL(url);
  through.host = host;
  return { DATABASE_URL: through.href, DATABASE_DIRECT_URL: url, DATABASE_PREPARED: 'off' };
}
