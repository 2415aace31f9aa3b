import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, bodyOf, pageOf } from '../../api/client';
import { keys } from '../../api/keys';
import { every } from '../../api/problem';
import type { CallOutcome, ToolCall } from '../../api/types';
import { Button } from '../../parts/button';
import { Card, Fact, Facts } from '../../parts/card';
import { Choice } from '../../parts/field';
import type { IconName } from '../../parts/icon';
import { LogTable } from '../../parts/table';
import { MarkedText } from '../../parts/marked-text';
import { Empty, Loaded } from '../../parts/notice';
import { FilterBar } from '../../parts/page';
import { Pill, type Tone } from '../../parts/status';
import { fullTime } from '../../parts/time';
import { mcp } from '../../session/elevated/elevated-mode';
import styles from './call-list.module.css';

/** Whose calls are listed. Those of an issue need no elevated mode. */
interface CallSubject {
  kind: 'issue' | 'agent' | 'server';
  id: string;
}

const PAGE = 50;
const REFRESH_MS = 10_000;

/** The records of tool calls, newest first, page by page. Only a list that has one page refreshes by itself. */
const callsQuery = ({ kind, id }: CallSubject, outcome: CallOutcome | undefined) =>
  infiniteQueryOptions({
    queryKey: [...keys.calls, kind, id, outcome ?? 'any'],
    queryFn: ({ pageParam }) => {
      const query = {
        limit: PAGE,
        ...(outcome !== undefined && { outcome }),
        ...(pageParam !== null && { cursor: pageParam }),
      };
      if (kind === 'issue')
        return pageOf(
          api.GET('/api/projects/issues/{issueId}/calls', { params: { path: { issueId: id }, query } }),
        );
      const narrowed = kind === 'agent' ? { ...query, agentId: id } : { ...query, serverId: id };
      return pageOf(mcp.GET('/api/mcp/calls', { params: { query: narrowed } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: (query) => every((query.state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS)(query),
  });

/** How the calls of the last 24 hours ended, by tool. */
const callSummaryQuery = ({ kind, id }: CallSubject) =>
  queryOptions({
    queryKey: [...keys.calls, kind, id, 'summary'],
    queryFn: () =>
      bodyOf(
        mcp.GET('/api/mcp/calls/summary', {
          params: { query: kind === 'agent' ? { agentId: id } : { serverId: id } },
        }),
      ),
    refetchInterval: every(REFRESH_MS),
  });

/** The tool calls of an agent or a server, with how those of the last 24 hours ended. */
export function CallsScreen({ subject }: { subject: CallSubject }) {
  const summary = useQuery(callSummaryQuery(subject)).data;
  const failed = summary === undefined ? 0 : summary.calls - summary.outcomes.ok;
  return (
    <CallList
      subject={subject}
      summary={summary && `In the last 24 hours: ${summary.calls} calls, of which ${failed} without success`}
    />
  );
}

/** How each end of a call reads: word, icon and colour together. */
const outcomes: Record<CallOutcome, { word: string; icon: IconName; tone: Tone }> = {
  ok: { word: 'Done', icon: 'resolved', tone: 'resolved' },
  tool_error: { word: 'Tool failed', icon: 'error', tone: 'danger' },
  refused: { word: 'Refused', icon: 'shield', tone: 'waiting' },
  timeout: { word: 'Timed out', icon: 'clock', tone: 'danger' },
  cancelled: { word: 'Cancelled', icon: 'disabled', tone: 'disabled' },
  unavailable: { word: 'No server', icon: 'error', tone: 'danger' },
  unknown: { word: 'Result unknown', icon: 'none', tone: 'waiting' },
};

/** The stable words of records as sentences. A word that is not here is shown as it is. */
const reasons: Record<string, string> = {
  lease_required: 'The agent has to call with the key of a lease.',
  lease_lost: 'The lease of the work had ended.',
  budget: 'A budget was used up.',
  halted: 'All agents were halted.',
  agent_disabled: 'The agent was disabled.',
  not_granted: 'The agent has no access to the server.',
  tool_not_granted: 'The agent has access to other tools of the server only.',
  tool_changed: 'The tool had changed and was not approved as it was then, or its server had removed it.',
  tool_invalid: 'The server defines the tool in a way that clients refuse.',
  unknown_server: 'No server has a tool of this name.',
  unknown_tool: 'The server has no such tool.',
  server_disabled: 'The server was disabled.',
  sign_in_needed: 'A person had to sign in to the server with the credentials of the agent.',
  sign_in_failed: 'The service could not sign in to the server.',
  server_error: 'The server was in error.',
  credentials_revoked: 'The credentials of the agent for the server were revoked.',
  credentials_error: 'The server crashed too often with the credentials of the agent.',
  rpc_error: 'The server answered with an error of the protocol.',
  start_failed: 'The server did not start.',
  died: 'The process of the server ended during the call.',
  stopped: 'The server was stopped.',
  outdated: 'The server was restarted with other values.',
  memory: 'The server used more memory than it may.',
  unreachable: 'The server could not be reached.',
  timed_out: 'The server did not answer in time.',
  cancelled: 'The caller cancelled it.',
  busy: 'The server had too many calls at once.',
  too_large: 'The answer was larger than the limit.',
  bad_answer: 'The server answered something that is not MCP.',
  credentials_refused: 'The credentials of the server were refused.',
  session_lost: 'The server forgot the session.',
  internal: 'The service failed. Its log says why.',
};

/** Why a call ended as it did; what happened where the outcome says everything. */
export function reasonOfCall({ reason, outcome }: Pick<ToolCall, 'reason' | 'outcome'>): string {
  if (reason !== null) return reasons[reason] ?? reason;
  return outcome === 'tool_error' ? 'The tool returned an error to the agent.' : outcomes[outcome].word;
}

/** Everything that the record of a call holds. Values of arguments and results are not recorded. */
function CallDetails({ call }: { call: ToolCall }) {
  const { at, argumentShape, argumentsHash, resultBytes, leaseToken, server } = call;
  const names = Object.entries(argumentShape);
  return (
    <div className={styles.details}>
      <Facts>
        <Fact name="When">
          <time dateTime={at}>{fullTime(at)}</time>
        </Fact>
        <Fact name="Ended">{reasonOfCall(call)}</Fact>
        <Fact name="Server">
          <MarkedText text={server.name} />
        </Fact>
        <Fact name="Arguments">
          {names.length === 0 ? (
            <span className="soft">None</span>
          ) : (
            <MarkedText text={names.map(([name, type]) => `${name}: ${type}`).join(', ')} />
          )}
        </Fact>
        {argumentsHash !== null && (
          <Fact name="Their hash">
            <code>{argumentsHash}</code>
          </Fact>
        )}
        <Fact name="Result">
          {resultBytes === null ? <span className="soft">None</span> : `${resultBytes} bytes`}
        </Fact>
        <Fact name="Lease">
          {leaseToken === null ? <span className="soft">Without a lease</span> : `Number ${leaseToken}`}
        </Fact>
      </Facts>
    </div>
  );
}

interface CallTableProps {
  calls: readonly ToolCall[];
  of: CallSubject['kind'];
}

/** Calls, newest first. What all rows have in common, the subject of the list, has no column. */
function CallTable({ calls, of }: CallTableProps) {
  return (
    <LogTable
      label="Tool calls"
      columns={[
        'Tool',
        ...(of === 'agent' ? [] : ['Agent']),
        ...(of === 'issue' ? [] : ['Issue']),
        'How it ended',
        'Took',
      ]}
      rows={calls}
      keyOf={({ id }) => id}
      timeOf={({ at }) => at}
      nameOf={({ toolName }) => `the call of ${toolName}`}
      cells={(call) => <Cells call={call} of={of} />}
      details={(call) => <CallDetails call={call} />}
    />
  );
}

function Cells({ call, of }: { call: ToolCall; of: CallSubject['kind'] }) {
  const { server, toolName, agent, user, issue, outcome, durationMs } = call;
  const { word, icon, tone } = outcomes[outcome];
  return (
    <>
      <td data-label="Tool" className={styles.tool}>
        <div>
          <code>
            <MarkedText text={toolName} />
          </code>
          {of !== 'server' && (
            <span className="soft small">
              <MarkedText text={server.name} />
            </span>
          )}
        </div>
      </td>
      {of !== 'agent' && (
        <td data-label="Agent">
          {agent?.name ?? <span className="soft">Trial by {user?.name ?? 'an Admin'}</span>}
        </td>
      )}
      {of !== 'issue' && (
        <td data-label="Issue">
          {issue === null ? (
            <span className="soft">None</span>
          ) : (
            <Link to="/i/$key" params={{ key: issue.key }} className="link" title={issue.title}>
              {issue.key}
            </Link>
          )}
        </td>
      )}
      <td data-label="Ended">
        <Pill tone={tone} icon={icon}>
          {word}
        </Pill>
      </td>
      <td data-label="Took" className={styles.took}>
        {durationMs} ms
      </td>
    </>
  );
}

const options = (Object.keys(outcomes) as CallOutcome[]).map((one) => [one, outcomes[one].word] as const);

/** The tool calls of a subject with a filter; `summary` stands at the right of it. */
export function CallList({ subject, summary }: { subject: CallSubject; summary?: ReactNode }) {
  const [outcome, setOutcome] = useState<CallOutcome>();
  const calls = useInfiniteQuery(callsQuery(subject, outcome));
  return (
    <>
      <FilterBar end={summary}>
        <Choice
          label="How they ended"
          any="Ended in any way"
          value={outcome}
          options={options}
          onChange={setOutcome}
        />
      </FilterBar>
      <Loaded query={calls} what="The tool calls">
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          if (rows.length === 0) return <Nothing filtered={outcome !== undefined} />;
          return (
            <Card
              title="Tool calls"
              flush
              footer={
                calls.hasNextPage ? (
                  <Button busy={calls.isFetchingNextPage} onClick={() => void calls.fetchNextPage()}>
                    Show older
                  </Button>
                ) : (
                  <span className="soft small">
                    These are all that are kept. Values of arguments and results are never recorded.
                  </span>
                )
              }
            >
              <CallTable calls={rows} of={subject.kind} />
            </Card>
          );
        }}
      </Loaded>
    </>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <Empty icon="filter" title="Nothing matches">
      No call ended in this way.
    </Empty>
  ) : (
    <Empty icon="tool" title="No tool calls yet">
      Every call of a server’s tool appears here: which tool, how it ended, and how long it took.
    </Empty>
  );
}
