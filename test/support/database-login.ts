import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { canary } from './canary.js';

/** The role of a database, whose password a test changes. No role but its own may use the server. */
export class DatabaseLogin {
  private readonly present: URL;

  constructor(url: string) {
    this.present = new URL(url);
  }

  /** The URL with the present password. */
  get url(): string {
    return this.present.href;
  }

  /** Gives the role another password, which no log may contain, and ends its connections. */
  async changePassword(): Promise<void> {
    const password = canary(randomBytes(12).toString('hex'));
    await this.query(`ALTER ROLE CURRENT_USER PASSWORD '${password}'`);
    this.present.password = password;
    await this.endConnections();
  }

  /** Ends all connections but the one that ends them. */
  endConnections(): Promise<void> {
    return this.query(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = CURRENT_USER AND pid <> pg_backend_pid()',
    );
  }

  private async query(sql: string): Promise<void> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
}
