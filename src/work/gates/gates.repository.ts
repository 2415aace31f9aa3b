import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/auth/principal.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { readOldestFirst } from '../../platform/database/keyset.js';
import type { Page, PageRequest } from '../../platform/http/pages/page.js';
import { visibilityOf, type Visibility } from '../projects/visibility.js';
import type { GateKind, GateState } from '../issues/status/gate-state.js';
import { GATE_COLUMNS, GATE_TABLES, type GateRow, type SeenGate } from './gate-row.js';

/** Which gates to list. An absent field matches all. */
export interface GateFilter {
  state?: GateState;
  kind?: GateKind;
  projectId?: string;
  issueId?: string;
  agentId?: string;
}

/** Reads gates, as a caller may see them (contract §5.6). */
@Injectable()
export class GatesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns null for an id that is unknown, malformed, or of a gate that the caller does not see. */
  findSeen(caller: Principal, id: string): Promise<SeenGate | null> {
    if (!isUuid(id)) return Promise.resolve(null);
    const visibility = visibilityOf(caller, 'p', 2);
    return this.database.row<SeenGate>(
      `SELECT ${GATE_COLUMNS}, coalesce(${visibility.rank}, 0) AS "callerRank" FROM ${GATE_TABLES} ${visibility.membership}
       WHERE g.id = $1 AND ${seenBy(caller, visibility, 2)}`,
      [id, ...visibility.parameters],
    );
  }

  /** Returns the gates that the caller sees, oldest first. */
  list(caller: Principal, filter: GateFilter, page: PageRequest): Promise<Page<SeenGate>> {
    const visibility = visibilityOf(caller, 'p', 1);
    const parameters = [...visibility.parameters];
    const conditions = conditionsOf(filter, (value) => `$${parameters.push(value)}`);
    const list = {
      columns: `${GATE_COLUMNS}, coalesce(${visibility.rank}, 0) AS "callerRank"`,
      from: `${GATE_TABLES} ${visibility.membership}`,
      where: [seenBy(caller, visibility, 1), ...conditions].join(' AND '),
      parameters,
    };
    return readOldestFirst<SeenGate>(this.database, list, page, 'g');
  }

  read(id: string): Promise<GateRow | null> {
    return this.database.row<GateRow>(`SELECT ${GATE_COLUMNS} FROM ${GATE_TABLES} WHERE g.id = $1`, [id]);
  }
}

/**
 * A gate of an issue is seen by those who see its project, one without an issue by its agent and by Admins: of its
 * project, or of the installation where it has no project.
 * @param from number of the visibility's first placeholder, which is the caller's id
 */
function seenBy(caller: Principal, { seen, rank }: Visibility, from: number): string {
  const alone = caller.type === 'agent' ? `g.agent_id = $${from}` : `${rank} >= 3`;
  return `(${seen}${caller.type === 'agent' ? ` OR (g.project_id IS NULL AND $${from + 1}::int IS NOT NULL)` : ''})
    AND (g.issue_id IS NOT NULL OR ${alone})`;
}

/** A state comes from a fixed list, and as a literal it fits the partial indexes. */
function conditionsOf(filter: GateFilter, bind: (value: unknown) => string): string[] {
  const { state, kind, projectId, issueId, agentId } = filter;
  if (agentId !== undefined && !isUuid(agentId)) return ['false'];
  return [
    ...(state ? [`g.state = '${state}'`] : []),
    ...(kind ? [`g.kind = ${bind(kind)}`] : []),
    ...(projectId ? [`g.project_id = ${bind(projectId)}`] : []),
    ...(issueId ? [`g.issue_id = ${bind(issueId)}`] : []),
    ...(agentId ? [`g.agent_id = ${bind(agentId)}`] : []),
  ];
}
