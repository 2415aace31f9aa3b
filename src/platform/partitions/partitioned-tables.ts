import type { Month } from './months.js';

/** A table with one partition per month. */
export interface PartitionedTable {
  name: string;
  /** The column that decides on the partition. */
  key: string;
  /**
   * `position`: the months of the journal, which takes positions of the next month once a month has begun. `time`: months
   * of the calendar, with the partitions `earlier` and `later` for all other rows.
   */
  by: 'position' | 'time';
  /** The columns of a unique order. */
  order: string;
}

export const JOURNAL: PartitionedTable = {
  name: 'journal',
  key: 'position',
  by: 'position',
  order: 'position',
};
export const DELIVERIES: PartitionedTable = {
  name: 'webhook_deliveries',
  key: 'event_position',
  by: 'position',
  order: 'event_position, id',
};
export const TOOL_CALLS: PartitionedTable = {
  name: 'tool_calls',
  key: 'called_at',
  by: 'time',
  order: 'called_at, id',
};
export const USAGE_REPORTS: PartitionedTable = {
  name: 'usage_reports',
  key: 'month',
  by: 'time',
  order: 'agent_id, report_id',
};
export const USAGE_HOURS: PartitionedTable = {
  name: 'usage_hours',
  key: 'hour',
  by: 'time',
  order: 'hour, agent_id, project_id, issue_id, model COLLATE "C"',
};

/** Deliveries come before the journal, whose rows they need. */
export const PARTITIONED_TABLES = [DELIVERIES, JOURNAL, TOOL_CALLS, USAGE_REPORTS, USAGE_HOURS];

/** The name of the partition of a month. */
export const partitionName = ({ name }: PartitionedTable, month: Month): string =>
  `${name}_${month.replace('-', '_')}`;
