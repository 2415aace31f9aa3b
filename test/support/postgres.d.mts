import type { Client } from 'pg';

export interface TestDatabase {
  url: string;
  /** Where the write-ahead log stood when it was made. */
  begun: string;
  drop(): Promise<unknown>;
}

export function createDatabase(): Promise<TestDatabase>;
export function dropDatabase(name: string): Promise<unknown>;
export function withAdmin<T>(work: (client: Client) => Promise<T>): Promise<T>;
export function urlOf(database: string): string;
