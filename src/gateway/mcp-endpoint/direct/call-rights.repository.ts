import { Injectable } from '@nestjs/common';
import { FOUND_CALL, type FoundCall } from '../../../mcp/access/call-verdict.js';
import { AGENT_AND_SERVERS, theAgent } from '../../../mcp/access/tool-verdict.js';
import {
  KEY_AND_OWNER,
  KEYS_AND_OWNERS,
  type KeyAndOwner,
} from '../../../platform/auth/keys/api-keys.repository.js';
import { Database } from '../../../platform/database/database.js';

/** A call as it comes in. */
export interface CallQuestion {
  /** Of the key that it carries: SHA-256 in hex. */
  keyHash: string;
  slug: string;
  tool: string;
}

/** What is known of a call before it is made. The call is null where its slug means nothing. */
export interface FoundRight extends KeyAndOwner {
  call: FoundCall | null;
  /** That its agent works on, where its leases tell exactly one. */
  issueId: string | null;
}

@Injectable()
export class CallRightsRepository {
  constructor(private readonly database: Database) {}

  /** In the order of the questions; null for one whose key is not known. */
  async find(questions: readonly CallQuestion[]): Promise<(FoundRight | null)[]> {
    const rows = await this.database.prepared<FoundRight & { place: string }>('call-rights.find', FIND, [
      questions.map(({ keyHash }) => Buffer.from(keyHash, 'hex')),
      questions.map(({ slug }) => slug),
      questions.map(({ tool }) => tool),
    ]);
    const found = new Map(rows.map((row) => [Number(row.place), row]));
    return questions.map((_, at) => found.get(at + 1) ?? null);
  }
}

/**
 * The questions of `ApiKeysRepository.findByHashes`, `ToolAccessRepository.findCall` and `CallIssuesRepository` at once.
 * The arrays stand in subqueries, see `FIND_BY_HASH` there.
 */
const FIND = `
  SELECT asked.place, ${KEY_AND_OWNER}, to_json(found) AS call, lease.issue_id AS "issueId"
  FROM unnest((SELECT $1::bytea[]), (SELECT $2::text[]), (SELECT $3::text[])) WITH ORDINALITY
    AS asked (key_hash, slug, tool, place)
  JOIN (${KEYS_AND_OWNERS}) ON k.hash = asked.key_hash
  LEFT JOIN LATERAL (
    SELECT ${FOUND_CALL}
    FROM ${AGENT_AND_SERVERS} LEFT JOIN server_tools t ON t.server_id = s.id AND t.name = asked.tool
    WHERE ${theAgent('k.agent_id')} AND s.slug = asked.slug) found ON true
  LEFT JOIN LATERAL (
    SELECT min(issue_id::text) AS issue_id FROM issue_leases
    WHERE agent_id = k.agent_id AND expires_at > now() HAVING count(*) = 1) lease ON true`;
