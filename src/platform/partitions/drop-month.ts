import { monthAfter, startOf } from './months.js';
import { partitionName, type PartitionedTable } from './partitioned-tables.js';
import { attachEarlier, partitionsOf, type Partition, type Statements } from './partitions.js';

/**
 * Drops a month. In a table by time every time keeps a partition: `earlier` takes the place of the oldest month, and an
 * empty partition that of another. The months of the journal need none, since its positions are given out once.
 */
export async function dropMonth(
  database: Statements,
  table: PartitionedTable,
  { month }: Partition,
): Promise<void> {
  const partition = partitionName(table, month);
  if (table.by === 'position') return void (await database.rows(`DROP TABLE ${partition}`));
  const [oldest] = await partitionsOf(database, table);
  if (oldest?.month === month) {
    await database.rows(`ALTER TABLE ${table.name} DETACH PARTITION ${table.name}_earlier`);
    await database.rows(`DROP TABLE ${partition}`);
    await attachEarlier(database, table, monthAfter(month));
  } else {
    await database.rows(`DROP TABLE ${partition}`);
    await database.rows(
      `CREATE TABLE ${partition} PARTITION OF ${table.name}
       FOR VALUES FROM ('${startOf(month)}') TO ('${startOf(monthAfter(month))}')`,
    );
  }
}
