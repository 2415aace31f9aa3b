export const hasPgBouncer: boolean;
export interface PgBouncer {
  before(url: string): string;
  stop(): Promise<void>;
}
export function startPgBouncer(adminUrl: string): Promise<PgBouncer>;
