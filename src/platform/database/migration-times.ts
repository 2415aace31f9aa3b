import type { MigrationInterface } from 'typeorm';

/** Measures how long each migration of a run takes, up to its commit. */
export class MigrationTimes {
  private running: { name: string; since: number } | null = null;

  /** @param report is called once per migration, when the next one begins or the run ends */
  constructor(private readonly report: (name: string, ms: number) => void) {}

  /** Measures this migration when it runs. */
  watch(name: string, migration: MigrationInterface): void {
    const up = migration.up.bind(migration);
    migration.up = (runner) => {
      this.end();
      this.running = { name, since: performance.now() };
      return up(runner);
    };
  }

  /** Reports the last migration. Call it after a run that succeeded: what failed was rolled back. */
  end(): void {
    if (this.running) this.report(this.running.name, Math.round(performance.now() - this.running.since));
    this.running = null;
  }
}
