import { useQuery } from '@tanstack/react-query';
import type { Issue, Run, StopReason } from '../../../api/types';
import { Card, Rows } from '../../../parts/card';
import type { IconName } from '../../../parts/icon';
import { MarkedText } from '../../../parts/marked-text';
import { Pill, type Tone } from '../../../parts/status';
import { clockTime, Time } from '../../../parts/time';
import { Who } from '../../../parts/who';
import { costOf, shortNumber } from '../../../shared/usage/queries';
import { runsQuery } from '../queries';
import styles from './runs-card.module.css';

/** What the stop reasons of the service mean for a run. A worker may report one instead of a sentence of its own. */
const sentences: Record<StopReason, string> = {
  paused: 'The issue was paused. The work goes on from here when it is resumed.',
  waiting: 'It waits for an answer or for another issue, and goes on from here afterwards.',
  budget: 'The budget is used up. The work goes on from here when the budget is raised.',
  reassigned: 'The issue was given to another agent, or to a person, so the agent was stopped.',
  in_review: 'The issue went to review while the agent worked on it.',
  open: 'The issue was set to Open while the agent worked on it.',
  resolved: 'The issue was resolved while the agent worked on it.',
  closed: 'The issue was closed while the agent worked on it.',
  deleted: 'The agent cannot see the issue any more.',
  lease_lost: 'The worker was out of reach for longer than its lease, so the issue was handed out again.',
  taken_over: 'Another process of the worker took the issue over, so this one was stopped.',
  halted: 'All agents were halted.',
  disabled: 'The agent was disabled.',
};

const isReason = (word: string): word is StopReason => Object.hasOwn(sentences, word);

/** Why a run is over, or how it is now. */
export function endOf({ state, stopped, reportedAt }: Pick<Run, 'state' | 'stopped' | 'reportedAt'>): string {
  if (stopped !== null) return isReason(stopped) ? sentences[stopped] : stopped;
  if (state === 'lost') return 'Its lease ended without a report: the worker died, or lost its network.';
  return `Last report at ${clockTime(reportedAt)}.`;
}

const states: Record<Run['state'], { word: string; icon: IconName; tone: Tone }> = {
  running: { word: 'Running', icon: 'progress', tone: 'progress' },
  stopped: { word: 'Ended', icon: 'closed', tone: 'closed' },
  lost: { word: 'Lost', icon: 'error', tone: 'waiting' },
};

/** What workers report of their work on an issue: the last line of each, what it used, and why it stopped. */
export function RunsCard({ issue }: { issue: Issue }) {
  const runs = useQuery(runsQuery(issue.id, issue.lease !== null)).data ?? [];
  if (runs.length === 0) return null;
  return (
    <Card title="Runs" count={runs.length} flush>
      <Rows label="Runs">
        {runs.map((run) => (
          <li key={run.token} className={styles.run}>
            <RunLine run={run} />
            {run.output !== '' && <Output text={run.output} />}
          </li>
        ))}
      </Rows>
    </Card>
  );
}

function RunLine({ run }: { run: Run }) {
  const { agent, state, session, turns, tokens, costMicros, startedAt, logId } = run;
  const { word, icon, tone } = states[state];
  return (
    <>
      <div className="row">
        <Pill tone={tone} icon={icon}>
          {word}
        </Pill>
        <Who party={{ type: 'agent', name: agent.name }} />
        <span className="soft small">
          since <Time iso={startedAt} /> · {turns === 1 ? '1 turn' : `${turns} turns`} · {shortNumber(tokens)}{' '}
          tokens · {costOf(costMicros)}
        </span>
        {session !== null && (
          <span className="soft small">
            Session <code>{session}</code>
          </span>
        )}
        {logId !== null && (
          <a href={`/api/projects/attachments/${logId}/download`} download className="link small">
            Log
          </a>
        )}
      </div>
      <p className="soft">
        <MarkedText text={endOf(run)} />
      </p>
    </>
  );
}

/** The last line, and all reported lines when it is opened. */
function Output({ text }: { text: string }) {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  return (
    <details className={styles.output}>
      <summary>
        <code className="clip">
          <MarkedText text={last} />
        </code>
      </summary>
      <pre tabIndex={0} role="region" aria-label="Last lines of output">
        <MarkedText text={text} />
      </pre>
    </details>
  );
}
