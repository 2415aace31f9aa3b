import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode, useCallback, useEffect, useState } from 'react';
import { agentsQuery, usersQuery } from '../../api/lists';
import type { AuditEntry, EventType } from '../../api/types';
import { useLiveEvents } from '../../live/live-provider';
import { Button } from '../../parts/button';
import { Choice } from '../../parts/choice';
import { Empty, ProblemNotice } from '../../parts/notice';
import { Icon } from '../../parts/icon';
import { LogTable } from '../../parts/log-table';
import { FilterBar } from '../../parts/page';
import { Skeleton } from '../../parts/skeleton';
import { Who } from '../../parts/who';
import styles from './activity-screen.module.css';
import { type Facts, issueIn, type Names, textOf, useNames } from './data';
import { EntryDetails } from './entry-details';
import { type ActivityFilter, activityQuery, families, matches } from './queries';
import { say, type Sentence } from './say';
import { sentencesOfPeople } from './sentences-of-people';
import { sentencesOfServers } from './sentences-of-servers';
import { sentencesOfWork } from './sentences-of-work';

type Sentences = Partial<Record<EventType, (facts: Facts) => Sentence>>;

const kinds: Record<string, string> = {
  approval: 'a request for approval',
  question: 'a question',
  budget: 'a question about a budget',
};

const gate = (facts: Facts): string => kinds[textOf(facts, 'kind') ?? ''] ?? 'a question';

/** Entries about what only a person can decide, and about budgets. */
const sentencesOfGates: Sentences = {
  'gate.opened': (facts) => say`Opened ${gate(facts)}${place(facts)}`,
  'gate.answered': (facts) => say`Answered ${gate(facts)}${place(facts)}`,
  'gate.expired': (facts) => say`The time for ${gate(facts)}${place(facts)} ran out`,
  'gate.withdrawn': (facts) => say`Withdrew ${gate(facts)}${place(facts)}`,
  'gate.executed': (facts) => say`An approved tool call${place(facts)} was executed`,
  'budget.set': (facts) => say`Set the budget of ${owner(facts)}`,
  'budget.deleted': (facts) => say`Removed the budget of ${owner(facts)}`,
};

/** A gate of an agent has no issue. */
const place = (facts: Facts): Sentence => (facts.entry.issueId === null ? [] : say` on ${issueIn(facts)}`);

function owner(facts: Facts): string {
  const {
    entry: { subject },
    names,
  } = facts;
  if (subject.type === 'agent') return names.agent(subject.id) ?? 'an agent';
  if (subject.type === 'project') return names.project(subject.id) ?? 'a project';
  return issueIn(facts);
}

const sentences = {
  ...sentencesOfWork,
  ...sentencesOfGates,
  ...sentencesOfPeople,
  ...sentencesOfServers,
};

/** What an entry says, as one sentence after the name of who did it. A type that is newer than this page names itself. */
export function sentenceOf(entry: AuditEntry, names: Names): Sentence {
  return sentences[entry.type]?.({ entry, names }) ?? say`Did ${entry.type}`;
}

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
      <td>{who === null ? <span className="soft">The service</span> : <Who party={who} />}</td>
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
            Show {count} new
          </Button>
        )}
      </ActivityFilters>
      {log.isPending && <Skeleton rows={6} label="Loading activity" />}
      {log.isError && (
        <ProblemNotice
          title="The activity cannot be shown"
          error={log.error}
          onRetry={() => void log.refetch()}
        />
      )}
      {log.data && entries.length === 0 && <Nothing filtered={filtered} onClear={() => onFilter({})} />}
      {entries.length > 0 && (
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
      )}
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
