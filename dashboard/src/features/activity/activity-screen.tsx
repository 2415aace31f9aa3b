import { infiniteQueryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode, useCallback, useEffect, useState } from 'react';
import { api, pageOf } from '../../api/client';
import { keys } from '../../api/keys';
import { agentsQuery, usersQuery } from '../../api/lists';
import type { AuditEntry } from '../../api/types';
import type { LiveEvent } from '../../live/event-table';
import { useLiveEvents } from '../../live/live-provider';
import { Button, CopyButton } from '../../parts/button';
import { Fact, Facts } from '../../parts/card';
import { Choice } from '../../parts/field';
import { sayNumber } from '../../parts/count';
import { Icon } from '../../parts/icon';
import { LogTable } from '../../parts/table';
import { MarkedText } from '../../parts/marked-text';
import { Empty, Loaded } from '../../parts/notice';
import { FilterBar } from '../../parts/page';
import { fullTime } from '../../parts/time';
import { Who } from '../../parts/who';
import styles from './activity-screen.module.css';
import { type Names, useNames } from './sentence-parts';
import { sentenceOf } from './sentences';

/** How many entries are read at once. */
const PAGE = 50;

/** What the log is narrowed to; it lives in the query string. */
export interface ActivityFilter {
  /** A family of types, such as `issue.*`, or one type. */
  type?: string | undefined;
  /** A user or an agent. */
  actorId?: string | undefined;
}

/** The log, newest first, page by page. Nothing refreshes it by itself: rows never move under the reader. */
const activityQuery = (filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.audit, filter],
    queryFn: ({ pageParam }) =>
      pageOf(
        api.GET('/api/audit', {
          params: {
            query: {
              limit: PAGE,
              ...(filter.type === undefined ? {} : { type: filter.type }),
              ...(filter.actorId === undefined ? {} : { actorId: filter.actorId }),
              ...(pageParam === null ? {} : { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnReconnect: false,
  });

/** Whether a live event is an entry that the filter would show. */
export function matches(
  { type, actorId }: ActivityFilter,
  event: Pick<LiveEvent, 'type' | 'actor'>,
): boolean {
  if (actorId !== undefined && event.actor.id !== actorId) return false;
  if (type === undefined) return true;
  return type.endsWith('*') ? event.type.startsWith(type.slice(0, -1)) : event.type === type;
}

/** The families that can be chosen, with their words. */
const families = [
  ['issue.*', 'Issues'],
  ['comment.*', 'Comments'],
  ['attachment.*', 'Attachments'],
  ['link.*', 'Links'],
  ['gate.*', 'Decisions'],
  ['budget.*', 'Budgets'],
  ['goal.*', 'Goals'],
  ['label.*', 'Labels'],
  ['project.*', 'Projects'],
  ['agent.*', 'Agents'],
  ['user.*', 'Users'],
  ['key.*', 'Keys'],
  ['login.*', 'Sign-ins'],
  ['access.*', 'Refusals'],
  ['webhook.*', 'Webhooks'],
  ['mcp.server.*', 'Servers'],
  ['mcp.tool.*', 'Tools'],
  ['mcp.access.*', 'Access to servers'],
] as const;

/** Whether an entry says that something was not allowed or did not work. */
function isRefusal({ type }: Pick<AuditEntry, 'type'>): boolean {
  return type === 'access.refused' || type === 'login.failed' || type === 'mcp.server.failed';
}

/** Entries of the audit; a row opens to everything that the log holds of it. */
function ActivityTable({ entries, footer }: { entries: readonly AuditEntry[]; footer: ReactNode }) {
  const names = useNames();
  return (
    <div className={styles.card}>
      <LogTable
        label="Activity"
        columns={['Who', 'What', 'Type']}
        rows={entries}
        keyOf={({ id }) => String(id)}
        timeOf={({ at }) => at}
        nameOf={({ type }) => type}
        cells={(entry) => <Cells entry={entry} names={names} />}
        details={(entry) => <EntryDetails entry={entry} />}
      />
      <footer className={styles.footer}>{footer}</footer>
    </div>
  );
}

function Cells({ entry, names }: { entry: AuditEntry; names: Names }) {
  const { actor, type } = entry;
  const who = actor.type === 'system' ? null : actor;
  return (
    <>
      <td>
        {who === null ? (
          <span className="soft">{actor.id === null ? 'The service' : actor.name}</span>
        ) : (
          <Who party={who} />
        )}
      </td>
      <td className={styles.sentence}>
        {isRefusal(entry) && <Icon name="error" small />}
        {sentenceOf(entry, names).map(({ text, strong }, index) =>
          strong ? <b key={index}>{text}</b> : <Fragment key={index}>{text}</Fragment>,
        )}
      </td>
      <td className={styles.type}>
        <code>{type}</code>
      </td>
    </>
  );
}

interface ActivityFiltersProps {
  filter: ActivityFilter;
  onFilter: (filter: ActivityFilter) => void;
  children: ReactNode;
}

function ActivityFilters({ filter, onFilter, children }: ActivityFiltersProps) {
  const users = useQuery(usersQuery).data ?? [];
  const agents = useQuery(agentsQuery).data ?? [];
  const actors = [...users, ...agents].map(({ id, name }) => [id, name] as const);
  return (
    <FilterBar end={children}>
      <Choice
        label="Who did it"
        any="Anyone"
        value={filter.actorId}
        options={actors}
        onChange={(actorId) => onFilter({ ...filter, actorId })}
      />
      <Choice
        label="What it is about"
        any="Everything"
        value={filter.type}
        options={families as readonly (readonly [string, string])[]}
        onChange={(type) => onFilter({ ...filter, type })}
      />
      {(filter.type !== undefined || filter.actorId !== undefined) && (
        <Button small look="quiet" onClick={() => onFilter({})}>
          Clear
        </Button>
      )}
    </FilterBar>
  );
}

/** Counts what has happened since `seen` changed last and the filter would show. */
function useNewEntries(filter: ActivityFilter, seen: unknown): number {
  const [count, setCount] = useState(0);
  const { type, actorId } = filter;
  useEffect(() => setCount(0), [type, actorId, seen]);
  useLiveEvents(
    useCallback(
      (event) => {
        if (matches({ type, actorId }, event)) setCount((before) => before + 1);
      },
      [type, actorId],
    ),
  );
  return count;
}

interface ActivityScreenProps {
  filter: ActivityFilter;
  onFilter: (filter: ActivityFilter) => void;
}

/** Who did what, newest first. What happens meanwhile waits behind a button, so that no row moves. */
export function ActivityScreen({ filter, onFilter }: ActivityScreenProps) {
  const client = useQueryClient();
  const query = activityQuery(filter);
  const log = useInfiniteQuery(query);
  const entries = log.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const count = useNewEntries(filter, entries[0]?.id);
  const filtered = filter.type !== undefined || filter.actorId !== undefined;
  return (
    <>
      <ActivityFilters filter={filter} onFilter={onFilter}>
        {count > 0 && (
          <Button small icon="refresh" onClick={() => void client.resetQueries({ queryKey: query.queryKey })}>
            Show {sayNumber(count)} new
          </Button>
        )}
      </ActivityFilters>
      <Loaded query={log} what="The activity">
        {() =>
          entries.length === 0 ? (
            <Nothing filtered={filtered} onClear={() => onFilter({})} />
          ) : (
            <ActivityTable
              entries={entries}
              footer={
                log.hasNextPage ? (
                  <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                    Show older
                  </Button>
                ) : (
                  <span className="soft small">This is the beginning of the log.</span>
                )
              }
            />
          )
        }
      </Loaded>
    </>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered)
    return (
      <Empty icon="activity" title="Nothing happened yet">
        Changes, sign-ins and refusals appear here.
      </Empty>
    );
  return (
    <Empty
      icon="filter"
      title="Nothing matches"
      actions={<Button onClick={onClear}>Clear the filter</Button>}
    >
      Nothing of this kind is in the log.
    </Empty>
  );
}

/** Everything that the log holds of an entry. */
function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { at, subject, issueId, data, requestId, origin } = entry;
  return (
    <div className={styles.details}>
      <Facts>
        <Fact name="When">
          <time dateTime={at}>{fullTime(at)}</time>
        </Fact>
        <Fact name="About">
          {subject.type} {subject.id !== null && <code>{subject.id}</code>}
        </Fact>
        {issueId !== null && (
          <Fact name="Issue">
            <Link to="/i/$key" params={{ key: issueId }} className="link">
              Open the issue
            </Link>
          </Fact>
        )}
        <Fact name="Request">
          {requestId === null ? (
            'None; the service did it by itself'
          ) : (
            <span className="row">
              <code>{requestId}</code>
              <CopyButton text={requestId} label="Copy the request id" />
            </span>
          )}
        </Fact>
        {origin !== null && <Fact name="From">{origin}</Fact>}
      </Facts>
      {Object.keys(data).length > 0 && (
        <pre className={styles.data} tabIndex={0} role="region" aria-label="Data">
          <MarkedText text={JSON.stringify(data, null, 2)} />
        </pre>
      )}
    </div>
  );
}
