import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { type Seen, visibilityOf } from '../projects/visibility.js';
import { Schedule, type ScheduleRun } from './schedule.entity.js';

/** A schedule as a response shows it. */
export type ReadSchedule = Omit<Schedule, 'issues' | 'failingSince' | 'editorId' | 'editorCap'> & {
  editedBy: { id: string; name: string };
};

/** A schedule with the caller's rank in its project. */
export type SeenSchedule = ReadSchedule & Seen;

/** A schedule whose row the transaction holds, and the time by the clock of the database. */
export interface DueSchedule {
  schedule: Schedule & { nextAt: Date };
  now: Date;
}

const COLUMNS = `
  s.id, s.project_id AS "projectId", s.name, s.cron, s.time_zone AS "timeZone", s.template, s.policy, s.enabled,
  s.next_at AS "nextAt", s.last_at AS "lastAt", s.failures, s.last_failure AS "lastFailure",
  (SELECT i.id FROM issues i WHERE i.id = s.last_issue_id) AS "lastIssueId",
  (SELECT json_build_object('id', u.id, 'name', u.name) FROM users u WHERE u.id = s.editor_id) AS "editedBy",
  s.created_at AS "createdAt", s.updated_at AS "updatedAt"`;

/** How long the rows of due times stay: no clock goes back so far. */
const KEPT_DAYS = 31;
/** The most rows of one deletion. */
const MOST_DELETED = 10_000;

/** Beside what TypeORM gives, the statements about schedules that stay SQL (decision 0053). */
@Injectable()
export class ScheduleRepository extends Repository<Schedule> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(Schedule, source.manager);
  }

  /** SQL: visibility in the same read. Returns null for an id that is malformed, unknown, or not seen by the caller. */
  async findSeen(caller: Principal, id: string): Promise<SeenSchedule | null> {
    if (!isUuid(id)) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    const [seen] = await this.query<SeenSchedule[]>(
      `SELECT ${COLUMNS}, ${visibility.rank} AS "callerRank"
       FROM schedules s JOIN projects p ON p.id = s.project_id ${visibility.membership}
       WHERE s.id = $1 AND ${visibility.seen}`,
      [id, ...visibility.parameters],
    );
    return seen ?? null;
  }

  /** SQL: the last issue and the editor in the same read. */
  async read(id: string): Promise<ReadSchedule | null> {
    const [schedule] = await this.query<ReadSchedule[]>(
      `SELECT ${COLUMNS} FROM schedules s WHERE s.id = $1`,
      [id],
    );
    return schedule ?? null;
  }

  /** SQL: a keyset page, oldest first. */
  list(projectId: string, page: PageRequest): Promise<Page<ReadSchedule>> {
    const list = {
      columns: COLUMNS,
      from: 'schedules s',
      where: 's.project_id = $1',
      parameters: [projectId],
    };
    return this.pages.readOldestFirst<ReadSchedule>(list, page, 's');
  }

  /** SQL: it asks no table. Returns the time by the clock that all processes share. */
  async now(): Promise<Date> {
    const [row] = await this.query<{ now: Date }[]>('SELECT now() AS now');
    return row!.now;
  }

  /**
   * SQL: the time until each by the clock of the database. Returns the schedules that are due first, also those that
   * are not due yet.
   * @param except ids of schedules to leave out
   */
  upNext(limit: number, except: string[]): Promise<{ id: string; inMs: number }[]> {
    return this.query(
      `SELECT id, (extract(epoch FROM next_at - now()) * 1000)::float8 AS "inMs" FROM schedules
       WHERE next_at IS NOT NULL AND id <> ALL($2::uuid[]) ORDER BY next_at LIMIT $1`,
      [limit, except],
    );
  }

  /**
   * Locks a schedule that is due. The one process that gets the row acts on it.
   * @returns null where it is not due any more, or another process has it
   */
  async lockDue(id: string): Promise<DueSchedule | null> {
    const found = await this.createQueryBuilder('s')
      .addSelect('now()', 'present')
      .where('s.id = :id AND s.next_at <= now()', { id })
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getRawAndEntities<{ present: Date }>();
    const [schedule] = found.entities;
    if (!schedule?.nextAt) return null;
    return { schedule: { ...schedule, nextAt: schedule.nextAt }, now: found.raw[0]!.present };
  }

  /** Locks a schedule: no change of it and no due time passes. Returns null when it has been deleted. */
  lock(id: string): Promise<Schedule | null> {
    return this.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** SQL: ON CONFLICT DO NOTHING. Takes a due time. @returns false where it was acted on before */
  async takeDueTime(scheduleId: string, dueAt: Date, outcome: ScheduleRun['outcome']): Promise<boolean> {
    const taken = await this.query<unknown[]>(
      `INSERT INTO schedule_runs (schedule_id, due_at, outcome) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING RETURNING due_at`,
      [scheduleId, dueAt, outcome],
    );
    return taken.length === 1;
  }

  /** SQL: a limit. Deletes due times that no clock can come back to. @returns how many */
  async deleteOldRuns(): Promise<number> {
    const [, count] = await this.query<[unknown[], number]>(
      `DELETE FROM schedule_runs WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM schedule_runs WHERE due_at < now() - interval '${KEPT_DAYS} days' LIMIT ${MOST_DELETED}))`,
    );
    return count;
  }
}
