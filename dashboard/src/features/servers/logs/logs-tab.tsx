import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import { every } from '../../../api/problem';
import type { ServerLogLine } from '../../../api/types';
import { useFilterField } from '../../../keyboard/use-actions';
import { Card } from '../../../parts/card';
import { countOf } from '../../../parts/count';
import { later } from '../../../parts/later';
import type { LogLine } from '../../../parts/log-view';
import { Empty, Loaded, Skeleton } from '../../../parts/notice';
import { mcp } from '../../../session/elevated/elevated-mode';

const LogView = later(async () => (await import('../../../parts/log-view')).LogView, <Skeleton rows={4} />);

const EVERY_MS = 2_000;

/** The lines, each with a key that stays while older ones leave the log. Equal lines are numbered. */
export function keyed(lines: readonly ServerLogLine[]): LogLine[] {
  const seen = new Map<string, number>();
  return lines.map(({ at, text, process }) => {
    const line = `${at} ${process} ${text}`;
    const turn = (seen.get(line) ?? 0) + 1;
    seen.set(line, turn);
    return { key: `${line} ${turn}`, at, text };
  });
}

/** What a server wrote to stderr: followed until it is paused, and searched. */
export function LogsTab({ id }: { id: string }) {
  const [following, setFollowing] = useState(true);
  const field = useFilterField('Search the log');
  const log = useQuery({
    queryKey: [...keys.servers, 'logs', id],
    queryFn: () => bodyOf(mcp.GET('/api/mcp/installed/{id}/logs', { params: { path: { id } } })),
    refetchInterval: every(following && EVERY_MS),
    enabled: following,
    select: ({ lines }) => keyed(lines),
  });
  return (
    <Loaded query={log} what="The log">
      {(lines) => (
        <Card title={following ? 'Log, followed' : 'Log, paused'} flush>
          {lines.length === 0 ? (
            <Empty icon="file" title="No lines yet">
              The last 64 KiB that the server writes to stderr appear here, with secrets masked. A restart of
              the service empties them.
            </Empty>
          ) : (
            <LogView
              label="the log"
              lines={lines}
              follow={{ on: following, set: setFollowing }}
              extent={countOf(lines.length, 'line')}
              field={field}
            />
          )}
        </Card>
      )}
    </Loaded>
  );
}
