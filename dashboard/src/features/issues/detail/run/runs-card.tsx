import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Issue, Run } from '../../../../api/types';
import { Button } from '../../../../parts/button';
import { Card, Rows } from '../../../../parts/card';
import { classes } from '../../../../parts/classes';
import type { IconName } from '../../../../parts/icon';
import { MarkedText } from '../../../../parts/marked-text';
import { Pill, type Tone } from '../../../../parts/status';
import { Time } from '../../../../parts/time';
import { Who } from '../../../../parts/who';
import { costOf, shortNumber } from '../../../../shared/usage/queries';
import { runsQuery } from '../../queries';
import { endOf } from '../why';
import styles from './run.module.css';
import { RunLog } from './run-log';

const states: Record<Run['state'], { word: string; icon: IconName; tone: Tone }> = {
  running: { word: 'Running', icon: 'progress', tone: 'progress' },
  stopped: { word: 'Ended', icon: 'closed', tone: 'closed' },
  lost: { word: 'Lost', icon: 'error', tone: 'waiting' },
};

/** What workers report of their work on an issue: the last line of each, what it used, and why it stopped. */
export function RunsCard({ issue }: { issue: Issue }) {
  const runs = useQuery(runsQuery(issue.id, issue.lease !== null)).data ?? [];
  const [open, setOpen] = useState<number | null>(null);
  if (runs.length === 0) return null;
  return (
    <Card title="Runs" count={runs.length} flush>
      <Rows label="Runs">
        {runs.map((run) => (
          <li key={run.token} className={styles.run}>
            <RunLine
              run={run}
              isOpen={open === run.token}
              onToggle={() => setOpen(open === run.token ? null : run.token)}
            />
            {open === run.token && <RunLog run={run} />}
          </li>
        ))}
      </Rows>
    </Card>
  );
}

interface RunLineProps {
  run: Run;
  isOpen: boolean;
  onToggle: () => void;
}

function RunLine({ run, isOpen, onToggle }: RunLineProps) {
  const { agent, state, session, turns, tokens, costMicros, startedAt, logId, output } = run;
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
        {(logId !== null || output !== '') && (
          <Button small icon="file" aria-expanded={isOpen} className={styles.opener} onClick={onToggle}>
            Log
            <span className="sr-only"> of the run of {agent.name}</span>
          </Button>
        )}
      </div>
      <p className="soft">
        <MarkedText text={endOf(run)} />
      </p>
      {output !== '' && !isOpen && (
        <code className={classes('clip', styles.lastLine)}>
          <MarkedText text={output.trimEnd().split('\n').at(-1) ?? ''} />
        </code>
      )}
    </>
  );
}
