import type { PartitionedTable } from './partitioned-tables.js';
import type { Partition } from './partitions.js';

/** What the rows of a month are still needed for. */
export interface Need {
  /** A sentence for the log. */
  because: string;
  /** SQL that finds a row while it holds. */
  found: (partition: Partition) => string;
}

/** What keeps the months of a table. */
export interface MonthRule {
  table: PartitionedTable;
  /** The column with the time of a row. */
  time: string;
  /** Days that the settings promise to keep every row; 0 is for ever. */
  days: number;
  needs: Need[];
}
