import { useQuery } from '@tanstack/react-query';
import type { Issue, Run } from '../../../api/types';
import { Card, Rows } from '../../../parts/card';
import type { IconName } from '../../../parts/icon';
import { MarkedText } from '../../../parts/marked-text';
import { Pill, type Tone } from '../../../parts/status';
import { Time } from '../../../parts/time';
import { Who } from '../../../parts/who';
import { costOf, shortNumber } from '../../../shared/usage/queries';
import { runsQuery } from '../queries';
import { endOf } from './run-ends';
import styles from './runs-card.module.css';

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
