import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { prepared } from '../../platform/database/service.client.js';

/**
 * Assignments for a lease `l` that measure its time up to now: when it is renewed, and when it ends. A lease that ran out
 * counts until it ran out. Its row keeps the time until `takeWallTime` moves it to the sums of usage.
 */
export const MEASURED = `
  wall_ms = l.wall_ms + coalesce(greatest(0, round(extract(epoch FROM least(now(), l.expires_at) - l.measured_at) * 1000)), 0),
  measured_at = now()`;

/**
 * Assignments for a lease `l` that ends for good. Its holder is forgotten, so that the index of the leases of sessions has
 * only leases that may live: every tool call reads it.
 */
export const ENDED = `
  wall_ms = l.wall_ms + coalesce(greatest(0, round(extract(epoch FROM least(now(), l.expires_at) - l.measured_at) * 1000)), 0),
  measured_at = NULL, expires_at = NULL, mcp_session = NULL, mcp_worker = NULL`;

/**
 * Moves the time of leases out of their rows, which several processes may do at once. Locks are skipped, so that a
 * heartbeat never waits for it.
 */
export const TAKE_WALL_TIME = `
  WITH measured AS (
    SELECT issue_id, wall_ms FROM issue_leases WHERE wall_ms > 0 ORDER BY issue_id LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED)
  UPDATE issue_leases l SET wall_ms = 0 FROM measured WHERE l.issue_id = measured.issue_id
  RETURNING l.agent_id AS "agentId", l.issue_id AS "issueId", measured.wall_ms::float8 AS "wallMs"`;

/** Marks the latest turn of the agent on each issue as one with a report. Returns the issues where it was not. */
export const MARK_TURNS_REPORTED = `
  UPDATE issue_leases SET reported_turn = turns
  WHERE issue_id = ANY($2::uuid[]) AND agent_id = $1 AND reported_turn < turns RETURNING issue_id AS "issueId"`;

/** What leases know of the usage of their agents. */
@Injectable()
export class LeaseUsageRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** SQL: skips locked rows. Takes the time of leases that is not yet in the sums; the caller adds it to them in the same transaction. */
  async takeWallTime(): Promise<{ agentId: string; issueId: string; wallMs: number }[]> {
    const [rows] = await this.source.query<[{ agentId: string; issueId: string; wallMs: number }[], number]>(
      prepared('leases.take-wall-time', TAKE_WALL_TIME),
      [],
    );
    return rows;
  }

  /** SQL: compares two columns. @returns the issues whose latest turn had no report before */
  async markTurnsReported(agentId: string, issueIds: string[]): Promise<string[]> {
    const [rows] = await this.source.query<[{ issueId: string }[], number]>(MARK_TURNS_REPORTED, [
      agentId,
      issueIds,
    ]);
    return rows.map(({ issueId }) => issueId);
  }
}
