/** A table that is divided by month. */
export interface Table {
  name: string;
  key: string;
  /** What has to be made again after the rows were moved, in the plain table and in the partitioned one. */
  plain: string[];
  partitioned: string[];
}

export const JOURNAL: Table = {
  name: 'journal',
  key: 'position',
  plain: [`ALTER TABLE journal ADD CONSTRAINT journal_id_unique UNIQUE (id)`],
  partitioned: [`CREATE INDEX journal_id ON journal (id)`],
};
for (const both of [JOURNAL.plain, JOURNAL.partitioned])
  both.push(
    `ALTER TABLE journal ADD CONSTRAINT journal_pk PRIMARY KEY (position)`,
    `CREATE INDEX journal_issue ON journal (issue_id, position) WHERE issue_id IS NOT NULL`,
    `CREATE INDEX journal_type ON journal (type, position)`,
    `CREATE INDEX journal_actor ON journal (actor_id, position) WHERE actor_id IS NOT NULL`,
    `CREATE INDEX journal_subject ON journal (subject_id, position) WHERE subject_id IS NOT NULL`,
    `CREATE INDEX journal_project ON journal (project_id, position) WHERE project_id IS NOT NULL`,
    `CREATE INDEX journal_time ON journal USING brin (created_at)`,
    `CREATE INDEX journal_of_no_issue ON journal (created_at, position) WHERE issue_id IS NULL`,
    `CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
     FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only()`,
  );

export const DELIVERIES: Table = {
  name: 'webhook_deliveries',
  key: 'event_position',
  plain: [
    `ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_pk PRIMARY KEY (id)`,
    `ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_event_unique UNIQUE (webhook_id, event_id)`,
    `CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, created_at, id)`,
    `CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (created_at) WHERE status <> 'pending'`,
  ],
  partitioned: [
    `ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_pk PRIMARY KEY (id, event_position)`,
    `ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_event_unique UNIQUE (webhook_id, event_position)`,
  ],
};
for (const both of [DELIVERIES.plain, DELIVERIES.partitioned])
  both.push(
    `CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, lane, event_position)
     WHERE status = 'pending'`,
    `ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_webhook_fk
     FOREIGN KEY (webhook_id) REFERENCES webhooks ON DELETE CASCADE`,
  );

export const CALLS: Table = {
  name: 'tool_calls',
  key: 'called_at',
  plain: [
    `ALTER TABLE tool_calls ADD CONSTRAINT tool_calls_pk PRIMARY KEY (id)`,
    `CREATE INDEX tool_calls_by_time ON tool_calls (called_at)`,
  ],
  partitioned: [`ALTER TABLE tool_calls ADD CONSTRAINT tool_calls_pk PRIMARY KEY (called_at, id)`],
};
for (const both of [CALLS.plain, CALLS.partitioned])
  both.push(
    `CREATE INDEX tool_calls_of_agent ON tool_calls (agent_id, called_at)`,
    `CREATE INDEX tool_calls_of_issue ON tool_calls (issue_id, called_at) WHERE issue_id IS NOT NULL`,
    `CREATE INDEX tool_calls_of_server ON tool_calls (server_id, called_at)`,
    `CREATE INDEX tool_calls_of_tool ON tool_calls (tool, called_at)`,
    `CREATE INDEX tool_calls_by_outcome ON tool_calls
     ((coalesce(outcome, CASE result WHEN 'failed' THEN 'unavailable' ELSE result END)), called_at)`,
  );

export const REPORTS: Table = {
  name: 'usage_reports',
  key: 'month',
  plain: [`ALTER TABLE usage_reports ADD CONSTRAINT usage_reports_pk PRIMARY KEY (agent_id, report_id)`],
  partitioned: [
    `ALTER TABLE usage_reports ADD CONSTRAINT usage_reports_pk PRIMARY KEY (agent_id, report_id, month)`,
  ],
};

export const HOURS: Table = { name: 'usage_hours', key: 'hour', plain: [], partitioned: [] };
for (const both of [HOURS.plain, HOURS.partitioned])
  both.push(
    `ALTER TABLE usage_hours ADD CONSTRAINT usage_hours_unique
     UNIQUE NULLS NOT DISTINCT (hour, agent_id, project_id, issue_id, model)`,
    `CREATE INDEX usage_hours_of_agent ON usage_hours (agent_id, hour)`,
    `CREATE INDEX usage_hours_of_project ON usage_hours (project_id, hour) WHERE project_id IS NOT NULL`,
    `CREATE INDEX usage_hours_of_issue ON usage_hours (issue_id, hour) WHERE issue_id IS NOT NULL`,
  );
