import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent, AgentToday, TodayRow } from '../../../api/types';
import { Card, Rows } from '../../../parts/card';
import { countOf, sayNumber } from '../../../parts/count';
import type { IconName } from '../../../parts/icon';
import { MarkedText } from '../../../parts/marked-text';
import { Empty, Loaded } from '../../../parts/notice';
import { issueStatuses, Pill, StatusIcon, type Tone } from '../../../parts/status';
import { Table } from '../../../parts/table';
import { Time } from '../../../parts/time';
import { costOf, shortNumber, timeOf } from '../../../shared/usage/queries';
import { activityWords, BudgetBar, nearestLimit, Spark, Stats } from '../figures';
import { todayQuery } from '../queries';
import styles from './today-tab.module.css';

/** What an agent has done today: picked up, finished, asked, called and spent, in sums and by issue. */
export function TodayTab({ agent }: { agent: Agent }) {
  const today = useQuery(todayQuery(agent.id));
  return (
    <Loaded query={today} what="Its day">
      {(data) => (
        <>
          <Sums today={data} />
          <div className={styles.split}>
            {data.issues.length > 0 ? (
              <ByIssue today={data} />
            ) : (
              <Empty icon="clock" title={`Nothing yet since ${startOf(data)}`}>
                {agent.why.sentence} What it works on and gets next stands under{' '}
                <Link to="/agents/$id/$tab" params={{ id: agent.id, tab: 'now' }} className="link">
                  Now
                </Link>
                .
              </Empty>
            )}
            <div className="stack">
              {data.asked.length > 0 && <Asked today={data} />}
              <Hours today={data} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  );
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });
const startOf = ({ since }: AgentToday): string => clock.format(new Date(since));

function Sums({ today }: { today: AgentToday }) {
  const { sums, budget } = today;
  const { usage } = sums;
  const limit = nearestLimit(budget);
  return (
    <Stats
      label={`Since ${startOf(today)}`}
      stats={[
        { label: 'Picked up', value: sums.pickedUp, note: `since ${startOf(today)}` },
        {
          label: 'Finished',
          value: sums.finished,
          note: sums.issues === 0 ? 'no issue' : `of ${countOf(sums.issues, 'issue')}`,
        },
        { label: 'Asked', value: sums.asked, note: openOf(today) },
        {
          label: 'Tool calls',
          value: shortNumber(sums.calls),
          note: sums.toolErrors === 0 ? 'none failed' : `${shortNumber(sums.toolErrors)} failed`,
        },
        {
          label: 'Turns',
          value: shortNumber(usage.turns),
          note: `${timeOf(usage.wallSeconds)} at work`,
        },
        {
          label: 'Tokens',
          value: shortNumber(usage.inputTokens + usage.outputTokens),
          note: `${shortNumber(usage.outputTokens)} of them out`,
        },
        {
          label: 'Cost',
          value: costOf(usage.costMicros),
          note: limit && (
            <span className={styles.budget}>
              <BudgetBar budget={budget} />
              {limit.words}
            </span>
          ),
          wide: limit !== null,
        },
      ]}
    />
  );
}

function openOf({ asked }: AgentToday): string {
  const open = asked.filter(({ state }) => state === 'open').length;
  if (asked.length === 0) return 'no question';
  return open === 0 ? 'all are closed' : `${open} without an answer`;
}

function ByIssue({ today: { issues, sums } }: { today: AgentToday }) {
  const listed = issues.filter(({ issueId }) => issueId !== null).length;
  return (
    <Card
      title="By issue"
      count={sums.issues}
      flush
      {...(listed < sums.issues && {
        footer: (
          <span className="soft small">
            The latest {listed} of {countOf(sums.issues, 'issue')}; the sums are of all.
          </span>
        ),
      })}
    >
      <div className={styles.byIssue}>
        <Table
          label="By issue"
          columns={['Issue', 'Picked up', 'Finished', 'Asked', 'Calls', 'Turns', 'Cost']}
        >
          {issues.map((row) => (
            <Row key={row.issueId ?? 'none'} row={row} />
          ))}
          <tr className={styles.sum}>
            <td>In all</td>
            <td data-label="Picked up">{sayNumber(sums.pickedUp)}</td>
            <td data-label="Finished">{sayNumber(sums.finished)}</td>
            <td data-label="Asked">{sayNumber(sums.asked)}</td>
            <td data-label="Calls">
              <Calls calls={sums.calls} failed={sums.toolErrors} />
            </td>
            <td data-label="Turns">{sayNumber(sums.usage.turns)}</td>
            <td data-label="Cost">{costOf(sums.usage.costMicros)}</td>
          </tr>
        </Table>
      </div>
    </Card>
  );
}

function Row({ row }: { row: TodayRow }) {
  const { pickedUpAt, finishedAt, finishedAs, asked, calls, toolErrors, tools, usage } = row;
  return (
    <tr>
      <td>
        <div className={styles.issue}>
          <IssueOf row={row} />
          {tools.length > 0 && (
            <span className={`small soft ${styles.tools}`}>
              <MarkedText text={tools.map((tool) => `${tool.tool} × ${tool.calls}`).join(', ')} />
            </span>
          )}
        </div>
      </td>
      <td data-label="Picked up">{pickedUpAt === null ? <None /> : <Time iso={pickedUpAt} />}</td>
      <td data-label="Finished">
        {finishedAt === null ? (
          <None />
        ) : (
          <>
            <Time iso={finishedAt} />
            {finishedAs !== null && finishedAs !== 'Resolved' && (
              <span className="small soft"> {issueStatuses[finishedAs].word.toLowerCase()}</span>
            )}
          </>
        )}
      </td>
      <td data-label="Asked">{asked === 0 ? <None /> : asked}</td>
      <td data-label="Calls">
        <Calls calls={calls} failed={toolErrors} />
      </td>
      <td data-label="Turns">{usage.turns === 0 ? <None /> : usage.turns}</td>
      <td data-label="Cost">{costOf(usage.costMicros)}</td>
    </tr>
  );
}

/** Nothing, for the eye; screen readers get a word. */
function None() {
  return (
    <span className={`soft ${styles.none}`}>
      <span aria-hidden="true">–</span>
      <span className="sr-only">none</span>
    </span>
  );
}

function Calls({ calls, failed }: { calls: number; failed: number }) {
  if (calls === 0) return <None />;
  return (
    <>
      {failed > 0 && <span className={`small ${styles.failed}`}>{failed} failed </span>}
      {sayNumber(calls)}
    </>
  );
}

function IssueOf({ row: { issueId, issue } }: { row: TodayRow }) {
  if (issueId === null) return <span className="soft">Without an issue</span>;
  if (issue === null) return <span className="soft">An issue that was deleted</span>;
  return (
    <span className={styles.title}>
      <StatusIcon status={issue.status} />
      <Link to="/i/$key" params={{ key: issue.key }} title={issue.title}>
        <span className={styles.key}>{issue.key}</span> {issue.title}
      </Link>
    </span>
  );
}

type GateState = AgentToday['asked'][number]['state'];

const states: Record<GateState, { word: string; icon: IconName; tone: Tone }> = {
  open: { word: 'Waits for an answer', icon: 'waiting', tone: 'waiting' },
  answered: { word: 'Answered', icon: 'resolved', tone: 'resolved' },
  expired: { word: 'Expired', icon: 'closed', tone: 'closed' },
  withdrawn: { word: 'Withdrawn', icon: 'closed', tone: 'closed' },
};

function Asked({ today: { asked, sums } }: { today: AgentToday }) {
  return (
    <Card
      title="Asked"
      count={sums.asked}
      flush
      {...(asked.length < sums.asked && {
        footer: (
          <span className="soft small">
            The newest {asked.length} of {countOf(sums.asked, 'question')}.
          </span>
        ),
      })}
    >
      <Rows label="Asked">
        {asked.map(({ id, title, state, issueKey, createdAt }) => (
          <li key={id} className={styles.asked}>
            <Time iso={createdAt} />
            {issueKey !== null && (
              <Link to="/i/$key" params={{ key: issueKey }} className={styles.key}>
                {issueKey}
              </Link>
            )}
            <span className={styles.question}>
              <MarkedText text={title} />
            </span>
            <Pill tone={states[state].tone} icon={states[state].icon}>
              {states[state].word}
            </Pill>
          </li>
        ))}
      </Rows>
    </Card>
  );
}

/** When the agent was busy, hour by hour. */
function Hours({ today: { activity } }: { today: AgentToday }) {
  return (
    <Card title="Last 24 hours">
      <p className="soft small">{activityWords(activity)}.</p>
      {activity.some((amount) => amount > 0) && (
        <>
          <div className={styles.hours}>
            <Spark activity={activity} most={Math.max(...activity)} />
          </div>
          <div className={`small soft ${styles.axis}`} aria-hidden="true">
            <span>23 h ago</span>
            <span>12 h ago</span>
            <span>This hour</span>
          </div>
        </>
      )}
    </Card>
  );
}
