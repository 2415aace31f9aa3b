import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AGENT_COLUMNS, type AgentRow } from '../../agents/agent.repository.js';
import { prepared } from '../../platform/database/service.client.js';
import type { Status } from '../../work/issue-status/issue-status.js';
import {
  goodLeases,
  hasCandidate,
} from '../../work/issue-status/lease-conditions-lengths-and-usage.repository.js';

/** A lease of a waiting worker. */
export interface HeldLease {
  agentId: string;
  issueId: string;
  token: number;
}

const LIVE = `(SELECT count(*)::int FROM issue_leases live WHERE live.agent_id = a.id AND live.expires_at > now())`;

/** A file on an issue, as far as a worker needs it. */
export interface AttachedFile {
  id: string;
  issueId: string;
  filename: string;
  contentType: string;
  size: number;
}

/** An issue beside another one in the tree of sub-issues: its parent, what is done below the same parent, or a child. */
export interface Relative {
  issueId: string;
  relation: 'parent' | 'doneBeside' | 'child';
  key: string;
  title: string;
  status: Status;
}

/** The most relatives of a kind that a brief names: the last changed. */
const RELATIVES_PER_ISSUE = 50;

/** The most files returned per issue: the newest. */
const FILES_PER_ISSUE = 200;

/** What one statement reads of a calling agent: enough for the response when there is nothing to do. */
export type AgentState = AgentRow & {
  halted: boolean;
  /** The reason that a person gave for the halt. */
  haltReason: string | null;
  hasWork: boolean;
  /** Whether its last heartbeat is old enough to be written again. */
  lastSeenIsStale: boolean;
};

const READ_AGENT = prepared(
  'heartbeat.agent',
  `
  SELECT ${AGENT_COLUMNS}, halt.halted, halt.reason AS "haltReason",
         coalesce(a.last_heartbeat_at < now() - interval '10 seconds', true) AS "lastSeenIsStale",
         ${hasCandidate('a.id')} AS "hasWork"
  FROM agents a CROSS JOIN agent_halt halt WHERE a.id = $1`,
);

const LOCK_AGENT = prepared('agents.lock', 'SELECT id FROM agents WHERE id = $1 FOR NO KEY UPDATE');

/** SQL: what a heartbeat reads of agents, leases, attachments and waiting workers, each in one statement. */
@Injectable()
export class HeartbeatRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  async readAgent(agentId: string): Promise<AgentState> {
    const [row] = await this.source.query<AgentState[]>(READ_AGENT, [agentId]);
    return row!;
  }

  /** Locks the agent's row, so that its workers are served one by one, and disabling or retiring it is ordered with them. */
  async lockAgent(agentId: string): Promise<void> {
    await this.source.query(LOCK_AGENT, [agentId]);
  }

  async touch(agentId: string): Promise<void> {
    await this.source.query(
      `UPDATE agents SET last_heartbeat_at = now()
       WHERE id = $1 AND (last_heartbeat_at IS NULL OR last_heartbeat_at < now() - interval '10 seconds')`,
      [agentId],
    );
  }

  /** Returns what briefs name of the tree of sub-issues, by the indexes over id and parent. */
  listRelatives(issueIds: string[]): Promise<Relative[]> {
    const near = (relation: Relative['relation'], condition: string) => `
      (SELECT '${relation}' AS relation, r.number, r.title, r.status FROM issues r WHERE ${condition}
       ORDER BY r.updated_at DESC, r.id LIMIT ${RELATIVES_PER_ISSUE})`;
    return this.source.query(
      `SELECT i.id AS "issueId", near.relation, p.key || '-' || near.number AS key, near.title, near.status
       FROM issues i JOIN projects p ON p.id = i.project_id CROSS JOIN LATERAL (
         ${near('parent', 'r.id = i.parent_id')}
         UNION ALL
         ${near('doneBeside', `r.parent_id = i.parent_id AND r.id <> i.id AND r.status IN ('Resolved', 'Closed')`)}
         UNION ALL
         ${near('child', 'r.parent_id = i.id')}) AS near
       WHERE i.id = ANY($1::uuid[]) ORDER BY i.id, near.number`,
      [issueIds],
    );
  }

  /** Returns those of these agents that could get an issue now, with how many they may get. */
  findReady(agentIds: string[]): Promise<{ agentId: string; free: number }[]> {
    return this.source.query(
      `SELECT a.id AS "agentId", a.max_concurrent_issues - ${LIVE} AS free
       FROM agents a CROSS JOIN agent_halt halt
       WHERE a.id = ANY($1::uuid[]) AND NOT halt.halted AND NOT a.disabled AND ${LIVE} < a.max_concurrent_issues
         AND ${hasCandidate('a.id')}`,
      [agentIds],
    );
  }

  /** Returns those of these leases that are over, or whose agent must stop all work. */
  findOver(leases: HeldLease[]): Promise<HeldLease[]> {
    return this.source.query<HeldLease[]>(
      `SELECT held.agent_id AS "agentId", held.issue_id AS "issueId", held.token::int AS token
       FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS held(agent_id, issue_id, token)
       JOIN agents a ON a.id = held.agent_id CROSS JOIN agent_halt halt
       WHERE halt.halted OR a.disabled OR NOT EXISTS (
         SELECT 1 FROM issue_leases l, issues i, projects p
         WHERE l.issue_id = held.issue_id AND l.token = held.token AND ${goodLeases('held.agent_id')})`,
      [
        leases.map(({ agentId }) => agentId),
        leases.map(({ issueId }) => issueId),
        leases.map(({ token }) => token),
      ],
    );
  }

  /** Returns the files on these issues, oldest first. */
  listFiles(issueIds: string[]): Promise<AttachedFile[]> {
    return this.source.query<AttachedFile[]>(
      `SELECT file.id, file."issueId", file.filename, file."contentType", file.size
       FROM unnest($1::uuid[]) AS asked(id) CROSS JOIN LATERAL (
         SELECT id, issue_id AS "issueId", filename, content_type AS "contentType", size::float8 AS size, created_at
         FROM attachments WHERE issue_id = asked.id
         ORDER BY created_at DESC, id DESC LIMIT ${FILES_PER_ISSUE}) AS file
       ORDER BY file.created_at, file.id`,
      [issueIds],
    );
  }

  /** Returns those of these ids that are attachments of the issue. */
  async filesAmong(issueId: string, ids: string[]): Promise<string[]> {
    const rows = await this.source.query<{ id: string }[]>(
      'SELECT id FROM attachments WHERE issue_id = $1 AND id = ANY($2::uuid[])',
      [issueId, ids],
    );
    return rows.map(({ id }) => id);
  }
}
