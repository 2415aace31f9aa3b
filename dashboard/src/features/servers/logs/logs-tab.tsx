import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { bodyOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import type { ServerLogLine } from '../../../api/types';
import { useFilterField } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Empty } from '../../../parts/notice';
import { inputClass } from '../../../parts/field';
import { Loaded } from '../../../parts/skeleton';
import { MarkedText } from '../../../parts/marked-text';
import { FilterBar } from '../../../parts/page';
import { mcp } from '../../../session/elevated/elevated-mode';
import styles from './logs.module.css';

const SHOWN = 500;

interface ShownLines {
  lines: ServerLogLine[];
  /** How many lines match the search. */
  matching: number;
  total: number;
}

/** The newest lines that contain the search in any case; a window, so that a long log stays readable. */
export function linesToShow(lines: readonly ServerLogLine[], search: string): ShownLines {
  const wanted = search.trim().toLowerCase();
  const found = wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted));
  return { lines: found.slice(-SHOWN), matching: found.length, total: lines.length };
}

/** Whether a line reads like a failure. It is only coloured; its words say what it is. */
export function readsLikeFailure(text: string): boolean {
  return /\b(error|fatal|exception|panic|failed|traceback)\b/i.test(text);
}

const EVERY_MS = 2_000;

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** What a server wrote to stderr: followed until it is paused, and searched. */
export function LogsTab({ id }: { id: string }) {
  const [following, setFollowing] = useState(true);
  const [search, setSearch] = useState('');
  const field = useFilterField('Search the log');
  const log = useQuery({
    queryKey: [...keys.servers, 'logs', id],
    queryFn: () => bodyOf(mcp.GET('/api/mcp/installed/{id}/logs', { params: { path: { id } } })),
    refetchInterval: following ? EVERY_MS : false,
    enabled: following,
  });
  return (
    <Loaded query={log} what="The log">
      {({ lines }) => {
        const shown = linesToShow(lines, search);
        return (
          <>
            <FilterBar end={countOf(shown)}>
              <Button
                icon={following ? 'pause' : 'progress'}
                aria-pressed={!following}
                onClick={() => setFollowing(!following)}
              >
                {following ? 'Pause' : 'Follow'}
              </Button>
              <input
                className={`${inputClass} ${styles.find}`}
                type="search"
                {...field}
                aria-label="Search the log"
                placeholder="Search the log"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
            </FilterBar>
            <Card title={following ? 'Log, followed' : 'Log, paused'} flush>
              {shown.lines.length === 0 ? (
                <Nothing searching={search !== ''} />
              ) : (
                <Lines lines={shown.lines} following={following} />
              )}
            </Card>
          </>
        );
      }}
    </Loaded>
  );
}

function Lines({ lines, following }: { lines: readonly ServerLogLine[]; following: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const newest = lines.at(-1)?.at;
  useEffect(() => {
    if (following) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [newest, following]);
  return (
    <div className={styles.log} ref={box} tabIndex={0} role="region" aria-label="Log lines, newest last">
      <ol>
        {lines.map(({ at, text }, index) => (
          <li key={`${at} ${index}`} data-failure={readsLikeFailure(text) || undefined}>
            <time dateTime={at}>{clock.format(new Date(at))}</time>
            <MarkedText text={text} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Nothing({ searching }: { searching: boolean }) {
  return searching ? (
    <Empty icon="filter" title="Nothing matches">
      No line of the log contains these words.
    </Empty>
  ) : (
    <Empty icon="file" title="No lines yet">
      The last 64 KiB that the server writes to stderr appear here, with secrets masked. A restart of the
      service empties them.
    </Empty>
  );
}

function countOf({ lines, matching, total }: ReturnType<typeof linesToShow>): string {
  if (matching > lines.length) return `Newest ${lines.length} of ${matching} lines`;
  return matching === total ? `${total} lines` : `${matching} of ${total} lines`;
}
