import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { isOverBudget } from '../../agents/agent-failures-over-budget-and-why.service.js';
import { prepared } from '../../platform/database/service.client.js';
import { seenByAgent } from '../projects/visibility.js';
import { isNotGivenBack } from './given-back-issues-and-attempts.repository.js';

/** Conditions on an issue `i`, its `lease` and an agent, whose id is SQL: it can go on, or begin. */
export const CAN_GO_ON = `i.status = 'InProgress' AND (lease.expires_at IS NULL OR lease.expires_at <= now())`;
export const canBegin = (agentId: string) => `i.status = 'Open' AND ${isNotGivenBack(agentId)}`;

/** The issues `i` of an agent in the projects `p` that it sees, with their `lease`. */
export const issuesOf = (agentId: string) => `
  issues i JOIN projects p ON p.id = i.project_id LEFT JOIN issue_leases lease ON lease.issue_id = i.id
  WHERE i.assigned_agent_id = ${agentId} AND NOT i.paused AND ${seenByAgent('p', agentId)}
    AND NOT ${isOverBudget(agentId)} AND NOT ${isOverBudget('i.project_id')}`;

/**
 * Condition: there is an issue to hand to the agent. Two queries, since the index holds each status on its own.
 * @param agentId SQL
 */
export const hasCandidate = (agentId: string) => `(
  EXISTS (SELECT 1 FROM ${issuesOf(agentId)} AND ${canBegin(agentId)}) OR
  EXISTS (SELECT 1 FROM ${issuesOf(agentId)} AND ${CAN_GO_ON}))`;

/** The leases `l` that still belong to their worker, with their issues `i` and projects `p`. @param agentId SQL */
export const goodLeases = (agentId: string) => `
  l.agent_id = ${agentId} AND l.expires_at IS NOT NULL
  AND i.id = l.issue_id AND i.assigned_agent_id = ${agentId} AND i.status = 'InProgress'
  AND p.id = i.project_id AND ${seenByAgent('p', agentId)}`;

/**
 * When a lease `l` that is renewed now runs out. One that was taken over MCP lasts as long as it did when it was taken, by
 * whatever request it is renewed (contract §7.4).
 * @param seconds SQL of how long any other lease lasts
 */
export const expiryOf = (seconds: string) =>
  `now() + make_interval(secs => CASE WHEN l.mcp_token = l.token THEN l.mcp_seconds ELSE ${seconds} END)`;

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
