import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { foundCall, type FoundCall } from '../../mcp/access/effective-access-and-refusals.js';
import {
  type KeyAndOwner,
  keyAndOwnerColumns,
  keysAndOwners,
} from '../../platform/authentication/api-key.repository.js';
import type { KeyedLease } from '../../platform/authentication/lease-keys.service.js';
import { prepared } from '../../platform/database/service.client.js';
import { GOOD_LEASE } from './lease-standings-and-refusals.service.js';

/** A call as its request names it. */
export interface KeyedCall {
  /** SHA-256 in hex of the key that the request carries. */
  keyHash: string;
  slug: string;
  tool: string;
}

/** The work for which a call is made: the issue of a lease, and the turn of the agent on it. */
export interface CalledFor {
  issueId: string;
  /** null for an issue that was deleted. */
  projectId: string | null;
  /** null for a call that is made after the end of its lease, with an approval. */
  leaseToken: number | null;
  turn: number;
}

/** A call as a request with a lease key names it. */
export interface LeaseCall {
  lease: KeyedLease;
  slug: string;
  tool: string;
}

/** What the database says about a call with a lease key. */
export interface FoundLeaseRight {
  agentId: string;
  name: string;
  disabled: boolean;
  toolsRequireLease: boolean;
  leaseIsGood: boolean;
  turn: number;
  /** null for an issue that was deleted. */
  projectId: string | null;
  hasBudget: boolean;
  call: FoundCall | null;
}

/** What the database says about a call. `call` is null where the slug belongs to no installed server. */
export interface FoundRight {
  call: FoundCall | null;
  /** The work of the agent; null unless it holds exactly one live lease. */
  calledFor: CalledFor | null;
  /** The sessions that hold leases of the agent, by their names. */
  sessions: string[];
  /** Whether a budget applies: of the agent, or of the issue or project that it works on. */
  hasBudget: boolean;
}

const WORK = `json_build_object('issueId', work.id, 'projectId', work.project_id, 'leaseToken', held.token, 'turn', held.turns)`;
const RIGHT = `to_json(found) AS call, CASE WHEN work.id IS NOT NULL THEN ${WORK} END AS "calledFor", held.sessions,
  budget.applies AS "hasBudget"`;

/** SQL: one of these objects has a budget. */
const hasBudget = (...ids: string[]): string =>
  `EXISTS (SELECT 1 FROM budgets b WHERE b.scope_id IN (${ids.join(', ')}))`;

/** Leases that run; the only one of an agent says what its call is made for. */
const RUNS = `FILTER (WHERE expires_at > now())`;

/** Joins the right of one call. The parameters are SQL expressions for the agent's id, the slug and the tool's own name. */
const rightOf = (agent: string, slug: string, tool: string): string => `
  LEFT JOIN LATERAL (${foundCall(agent, `s.slug = ${slug}`, tool)}) found ON true
  CROSS JOIN LATERAL (
    SELECT count(*) ${RUNS} AS running, min(issue_id::text) ${RUNS} AS issue_id, min(token) ${RUNS} AS token,
           min(turns) ${RUNS} AS turns,
           coalesce(array_agg(mcp_session) FILTER (WHERE mcp_session IS NOT NULL AND mcp_token = token), '{}') AS sessions
    FROM issue_leases WHERE agent_id = ${agent} AND expires_at IS NOT NULL) held
  LEFT JOIN issues work ON held.running = 1 AND work.id = held.issue_id::uuid
  CROSS JOIN LATERAL (SELECT ${hasBudget(agent, 'work.id', 'work.project_id')} AS applies) budget`;

/**
 * The key, its owner and the right, for all calls that arrive together. The arrays stand in subqueries: where the
 * planner sees their length it plans again for each call, which costs four times the read (see `FIND_BY_HASH` in
 * api-key.repository.ts).
 */
const FIND_BY_KEYS = prepared(
  'call-rights.by-keys',
  `
  SELECT asked.place, ${keyAndOwnerColumns('k')}, ${RIGHT}
  FROM unnest((SELECT $1::bytea[]), (SELECT $2::text[]), (SELECT $3::text[])) WITH ORDINALITY
    AS asked (key_hash, slug, tool, place)
  JOIN (${keysAndOwners('k')}) ON k.hash = asked.key_hash
  ${rightOf('k.agent_id', 'asked.slug', 'asked.tool')}`,
);

const FIND_BY_AGENT = prepared(
  'call-rights.by-agent',
  `
  SELECT ${RIGHT}
  FROM (VALUES ($1::uuid, $2::text, $3::text)) AS asked (agent_id, slug, tool)
  ${rightOf('asked.agent_id', 'asked.slug', 'asked.tool')}`,
);

/** The agent, the lease and the right, for all calls that arrive together with lease keys. */
const FIND_BY_LEASES = prepared(
  'call-rights.by-leases',
  `
  SELECT asked.place, a.id AS "agentId", a.name, a.disabled, a.tools_require_lease AS "toolsRequireLease",
         ${GOOD_LEASE} AS "leaseIsGood", to_json(found) AS call, coalesce(work.turns, 0) AS turn,
         i.project_id AS "projectId", ${hasBudget('asked.agent_id', 'i.id', 'i.project_id')} AS "hasBudget"
  FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::bigint[]), (SELECT $4::text[]), (SELECT $5::text[]))
    WITH ORDINALITY AS asked (agent_id, issue_id, token, slug, tool, place)
  JOIN agents a ON a.id = asked.agent_id AND a.retired_at IS NULL
  LEFT JOIN issues i ON i.id = asked.issue_id
  LEFT JOIN issue_leases work ON work.issue_id = asked.issue_id AND work.token = asked.token
  LEFT JOIN LATERAL (${foundCall('asked.agent_id', 's.slug = asked.slug', 'asked.tool')}) found ON true`,
);

/** Reads the rights of tool calls from the database. */
@Injectable()
export class CallRightsRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** Returns one element per call, in the same order; null for a call whose key is unknown. */
  async findByKeys(calls: readonly KeyedCall[]): Promise<((FoundRight & KeyAndOwner) | null)[]> {
    const rows = await this.source.query<(FoundRight & KeyAndOwner & { place: string })[]>(FIND_BY_KEYS, [
      calls.map(({ keyHash }) => Buffer.from(keyHash, 'hex')),
      calls.map(({ slug }) => slug),
      calls.map(({ tool }) => tool),
    ]);
    const found = new Map(rows.map((row) => [Number(row.place), row]));
    return calls.map((_, at) => found.get(at + 1) ?? null);
  }

  /** Returns one element per call, in the same order; null for a call whose agent is retired. */
  async findByLeases(calls: readonly LeaseCall[]): Promise<(FoundLeaseRight | null)[]> {
    const rows = await this.source.query<(FoundLeaseRight & { place: string })[]>(FIND_BY_LEASES, [
      calls.map(({ lease }) => lease.agentId),
      calls.map(({ lease }) => lease.issueId),
      calls.map(({ lease }) => lease.token),
      calls.map(({ slug }) => slug),
      calls.map(({ tool }) => tool),
    ]);
    const found = new Map(rows.map((row) => [Number(row.place), row]));
    return calls.map((_, at) => found.get(at + 1) ?? null);
  }

  /** Returns the right of an agent that is already authenticated. */
  async findByAgent(agentId: string, slug: string, tool: string): Promise<FoundRight> {
    const [found] = await this.source.query<FoundRight[]>(FIND_BY_AGENT, [agentId, slug, tool]);
    return found!;
  }
}
