import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';

@Injectable()
export class ChoresRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Takes a chore that is due. @returns false when it is not due, or another process has taken it */
  async take({ name, everySeconds }: { name: string; everySeconds: number }): Promise<boolean> {
    const taken = await this.database.change(
      `INSERT INTO chores (name, ran_at) VALUES ($1, now())
       ON CONFLICT (name) DO UPDATE SET ran_at = now()
       WHERE chores.ran_at < now() - make_interval(secs => $2::int)`,
      [name, everySeconds],
    );
    return taken === 1;
  }
}
