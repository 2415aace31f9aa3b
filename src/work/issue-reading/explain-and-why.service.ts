import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { NotFound } from '../../platform/http/problem.js';
import { CODE_COUNTS, type CodeCounts } from '../code/code.repository.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { isHeld } from '../issue-status/issue-status.js';
import { type Explanation, explanations, type Reason } from './reasons-and-sentences.js';
import { agentFacts, factsOf, type FactsRow, type IssueFacts, STANDING_FACTS } from './issue-facts.js';

/** The most blockers that a sentence names. An issue may have two thousand. */
export const BLOCKERS_NAMED = 5;

/** What an issue waits for: who has to act, or what has to end. */
export interface Cause {
  type: 'issue' | 'gate' | 'agent' | 'user';
  id: string;
  /** The key of an issue, the title of a gate, the name of a person or agent. */
  label: string;
}

/** Why no agent works on an issue, in one sentence (contract §5.2). */
export interface Why {
  reason: Reason;
  sentence: string;
  waitsFor: Cause[];
}

export function whyOf(facts: IssueFacts): Why {
  const explanation: Explanation & { reason: Reason } = explanations.find(({ fits }) => fits(facts))!;
  const { reason, next } = explanation;
  return { reason, sentence: next(facts), waitsFor: causesOf(explanation, facts) };
}

function causesOf({ reason, waitsFor }: Explanation, facts: IssueFacts): Cause[] {
  if (reason === 'waiting')
    return [
      ...facts.gates.map(({ id, title }) => ({ type: 'gate' as const, id, label: title })),
      ...facts.blockedBy.map(({ id, key }) => ({ type: 'issue' as const, id, label: key })),
    ];
  const party = waitsFor(facts);
  return party ? [{ type: party.type, id: party.id, label: party.name }] : [];
}

/** The facts about one issue of a list, with its direct blockers only. */
export type ListedFacts = IssueFacts & { id: string; code: CodeCounts };

/** What a list shows of an issue beside its own row. */
export interface Explained {
  why: Why;
  code: CodeCounts;
}

/** A child holds its parent by an edge of its own (contract §5.9). */
const KIND = `'kind', CASE WHEN l.of_child THEN 'child' ELSE 'blocker' END`;

/** Reads one blocker more than is named, to know whether there are more; resolved ones are skipped. */
const BLOCKERS = `
  SELECT coalesce(json_agg(found.blocker ORDER BY found.created_at, found.id), '[]') AS list FROM (
    SELECT b.id, b.created_at,
           json_build_object('id', b.id, 'key', bp.key || '-' || b.number, 'title', b.title, 'status', b.status, ${KIND}) AS blocker
    FROM issue_links l JOIN issues b ON b.id = l.source_issue_id JOIN projects bp ON bp.id = b.project_id
    WHERE i.status = 'WaitingOnDependency' AND l.target_issue_id = i.id AND l.link_type = 'Blocks'
      AND b.status NOT IN ('Resolved', 'Closed')
    LIMIT ${BLOCKERS_NAMED + 1}) AS found`;

/** The live leases are counted once for each agent, not once for each of its issues. */
const FACTS = `
  WITH asked AS MATERIALIZED (SELECT * FROM issues WHERE id = ANY($1::uuid[])),
  busy AS MATERIALIZED (
    SELECT l.agent_id, count(*)::int AS active FROM issue_leases l
    WHERE l.expires_at > now() AND l.agent_id IN (SELECT assigned_agent_id FROM asked) GROUP BY l.agent_id)
  SELECT i.id, ${CODE_COUNTS}, ${agentFacts('$2', 'coalesce(busy.active, 0)')}, ${STANDING_FACTS}, blockers.list AS "blockedBy"
  FROM asked i JOIN projects p ON p.id = i.project_id CROSS JOIN agent_halt halt
  LEFT JOIN agents a ON a.id = i.assigned_agent_id
  LEFT JOIN busy ON busy.agent_id = a.id
  LEFT JOIN users u ON u.id = i.assignee_user_id
  LEFT JOIN issue_leases lease ON lease.issue_id = i.id
  CROSS JOIN LATERAL (${BLOCKERS}) AS blockers`;

@Injectable()
export class WhyRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /**
   * Reads the facts about several issues in one statement. A caller who sees an issue sees what blocks it.
   * @param silence seconds without a heartbeat after which an agent counts as silent
   */
  async facts(ids: string[], silence: number): Promise<ListedFacts[]> {
    if (ids.length === 0) return [];
    const rows = await this.source.query<(FactsRow & { id: string; code: CodeCounts })[]>(FACTS, [
      ids,
      silence,
    ]);
    return rows.map((row) => {
      const facts = factsOf(row);
      const { blockedBy } = facts;
      const moreBlockers = blockedBy.length > BLOCKERS_NAMED;
      return {
        ...facts,
        blockedBy: blockedBy.slice(0, BLOCKERS_NAMED),
        moreBlockers,
        rootBlockers: [],
        issuesBetween: 0,
      };
    });
  }
}

/** Explains the issues of a list, in one statement whatever their number. */
@Injectable()
export class WhyService {
  constructor(
    private readonly issues: WhyRepository,
    private readonly settings: Settings,
  ) {}

  /** @returns why, by the id of the issue; an issue that was deleted meanwhile is missing */
  async of(ids: string[]): Promise<Map<string, Explained>> {
    const facts = await this.issues.facts(ids, this.settings.leaseSeconds);
    return new Map(facts.map((of) => [of.id, { why: whyOf(of), code: of.code }]));
  }
}

const BLOCKER_JSON = `'id', b.id, 'key', bp.key || '-' || b.number, 'title', b.title, 'status', b.status`;
const OLDEST_FIRST = 'ORDER BY b.created_at, b.id';

/** Every unresolved issue from which blocking leads to `$1`. */
const HOLDING = `holding(id) AS (
  SELECT l.source_issue_id FROM issue_links l JOIN issues s ON s.id = l.source_issue_id
  WHERE l.target_issue_id = $1 AND l.link_type = 'Blocks' AND s.status NOT IN ('Resolved', 'Closed')
  UNION
  SELECT l.source_issue_id FROM holding JOIN issue_links l ON l.target_issue_id = holding.id AND l.link_type = 'Blocks'
  JOIN issues s ON s.id = l.source_issue_id WHERE s.status NOT IN ('Resolved', 'Closed'))`;

const DIRECT = `
  SELECT json_agg(blocker) FROM (
    SELECT json_build_object(${BLOCKER_JSON}, ${KIND}) AS blocker
    FROM issue_links l JOIN issues b ON b.id = l.source_issue_id JOIN projects bp ON bp.id = b.project_id
    WHERE l.target_issue_id = i.id AND l.link_type = 'Blocks' AND b.status NOT IN ('Resolved', 'Closed')
    ${OLDEST_FIRST} LIMIT 1000) AS direct`;

const PERSON = `CASE WHEN bu.id IS NOT NULL THEN json_build_object('type', 'user', 'id', bu.id, 'name', bu.name) END`;
const ASSIGNEE = `
  CASE WHEN ba.id IS NOT NULL THEN json_build_object('type', 'agent', 'id', ba.id, 'name', ba.name) ELSE ${PERSON} END`;

const ROOTS = `
  SELECT json_agg(root) FROM (
    SELECT json_build_object(${BLOCKER_JSON}, 'assignee', ${ASSIGNEE}, 'person', ${PERSON}, 'paused', b.paused) AS root
    FROM holding JOIN issues b ON b.id = holding.id JOIN projects bp ON bp.id = b.project_id
    LEFT JOIN agents ba ON ba.id = b.assigned_agent_id LEFT JOIN users bu ON bu.id = b.assignee_user_id
    WHERE (b.status <> 'WaitingOnDependency' OR ${isHeld('b.id')}) ${OLDEST_FIRST} LIMIT 100) AS roots`;

/** How many of those that hold it up neither block it directly nor can be worked on now. */
const BETWEEN = `
  SELECT count(*)::int FROM holding JOIN issues b ON b.id = holding.id
  WHERE b.status = 'WaitingOnDependency' AND NOT ${isHeld('b.id')} AND NOT EXISTS (
    SELECT 1 FROM issue_links l WHERE l.source_issue_id = b.id AND l.target_issue_id = $1 AND l.link_type = 'Blocks')`;

/** The agent's live leases, over all issues. */
const LIVE_LEASES = `(SELECT count(*) FROM issue_leases l WHERE l.agent_id = a.id AND l.expires_at > now())`;

const FACTS_OF_ONE = `
  WITH RECURSIVE ${HOLDING}
  SELECT ${agentFacts('$2', LIVE_LEASES)},
         ${STANDING_FACTS},
         CASE i.status WHEN 'WaitingOnDependency' THEN coalesce((${DIRECT}), '[]') ELSE '[]' END AS "blockedBy",
         CASE i.status WHEN 'WaitingOnDependency' THEN coalesce((${ROOTS}), '[]') ELSE '[]' END AS "rootBlockers",
         CASE i.status WHEN 'WaitingOnDependency' THEN (${BETWEEN}) ELSE 0 END AS "issuesBetween"
  FROM issues i JOIN projects p ON p.id = i.project_id CROSS JOIN agent_halt halt
  LEFT JOIN agents a ON a.id = i.assigned_agent_id
  LEFT JOIN users u ON u.id = i.assignee_user_id
  LEFT JOIN issue_leases lease ON lease.issue_id = i.id
  WHERE i.id = $1`;

@Injectable()
export class ExplainRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /**
   * Reads all facts in one statement. A caller who sees an issue sees what blocks it: links of a members-only project
   * stay within it.
   * @param silence seconds without a heartbeat after which an agent counts as silent
   * @returns null when the issue has been deleted
   */
  async facts(issueId: string, silence: number): Promise<IssueFacts | null> {
    const [row] = await this.source.query<FactsRow[]>(FACTS_OF_ONE, [issueId, silence]);
    return row ? factsOf(row) : null;
  }
}

/** Finds out why no agent works on an issue (contract §5.2). */
@Injectable()
export class ExplainService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly issues: ExplainRepository,
    private readonly settings: Settings,
  ) {}

  /** A live worker sends a heartbeat before its lease runs out, so an agent that was silent for longer is gone. */
  async facts(caller: Principal, reference: string): Promise<IssueFacts> {
    const { id } = await this.access.get(caller, reference, 'Viewer');
    const facts = await this.issues.facts(id, this.settings.leaseSeconds);
    if (!facts) throw new NotFound();
    return facts;
  }
}
