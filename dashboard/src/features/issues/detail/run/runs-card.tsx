import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Issue, Run } from '../../../../api/types';
import { Button } from '../../../../parts/button';
import { Card, Rows } from '../../../../parts/card';
import { classes } from '../../../../parts/classes';
import type { IconName } from '../../../../parts/icon';
import { type LogLine, LogView } from '../../../../parts/log-view';
import { MarkedText } from '../../../../parts/marked-text';
import { ProblemNotice, Skeleton } from '../../../../parts/notice';
import { Pill, type Tone } from '../../../../parts/status';
import { Segments } from '../../../../parts/field';
import { Time } from '../../../../parts/time';
import { Who } from '../../../../parts/who';
import { costOf, shortNumber } from '../../../../shared/usage/queries';
import { runsQuery } from '../../queries';
import { isAtEnd, sizeOf, useByteWindow } from '../files/byte-window';
import { endOf } from '../why';
import styles from './run.module.css';

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

/** How much of the reported output is kept; the log has all of it. */
const KEPT = 512 * 1024;
/** The beginning of a report by which its place in the text before is found. */
const PROBE = 48;

/** Adds the last lines that a worker reports to those it reported before, of which they repeat a part. */
export function extended(text: string, report: string): string {
  if (text === '' || report === '') return text || report;
  const probe = report.slice(0, PROBE);
  for (let at = Math.max(0, text.length - report.length); at !== -1 && at < text.length; at += 1) {
    at = text.indexOf(probe, at);
    if (at === -1) break;
    if (report.startsWith(text.slice(at))) return (text.slice(0, at) + report).slice(-KEPT);
  }
  // A short output that was replaced grows from its own beginning.
  if (report.startsWith(text)) return report;
  return `${text}\n[…]\n${report}`.slice(-KEPT);
}

/** A line of a runner's log (JSON Lines) in words; any other line as it is. */
export function shownLine(text: string): { text: string; at?: string } {
  if (!text.startsWith('{"at":')) return { text };
  try {
    const { at, kind, data } = JSON.parse(text) as { at: string; kind: string; data: unknown };
    return { at, text: `${kind} ${typeof data === 'string' ? data : JSON.stringify(data)}` };
  } catch {
    // A line that was cut is no JSON.
    return { text };
  }
}

/** What a run wrote, as it comes: the last lines that its worker reports, and the log that it uploads. */
export function RunLog({ run }: { run: Run }) {
  const isRunning = run.state === 'running';
  const [source, setSource] = useState<'output' | 'log'>(run.logId === null || isRunning ? 'output' : 'log');
  return (
    <div className={styles.log}>
      {run.logId !== null && (
        <Segments
          label="What is shown"
          hideLabel
          value={source}
          options={[
            ['output', isRunning ? 'Live output' : 'Last output'],
            ['log', 'Whole log'],
          ]}
          onChange={setSource}
        />
      )}
      {source === 'log' && run.logId !== null ? (
        <WholeLog logId={run.logId} isRunning={isRunning} agent={run.agent.name} />
      ) : (
        <LiveOutput run={run} isRunning={isRunning} />
      )}
    </div>
  );
}

function LiveOutput({ run, isRunning }: { run: Run; isRunning: boolean }) {
  const [text, setText] = useState(run.output);
  const [following, setFollowing] = useState(true);
  useEffect(() => {
    if (following) setText((before) => extended(before, run.output));
  }, [run.output, following]);
  const lines: LogLine[] = text.split('\n').map((line, key) => ({ key, text: line }));
  return (
    <LogView
      label={`the output of ${run.agent.name}`}
      lines={lines}
      {...(isRunning && { follow: { on: following, set: setFollowing } })}
      extent={isRunning ? 'Reported every few seconds' : undefined}
    />
  );
}

function WholeLog({ logId, isRunning, agent }: { logId: string; isRunning: boolean; agent: string }) {
  const { window, error, goTo, earlier, later } = useByteWindow(logId, 'end');
  const [following, setFollowing] = useState(isRunning);
  // The worker uploads the log again each minute, as another attachment that begins with the same lines.
  useEffect(() => {
    if (following) void later(true);
  }, [logId, following, later]);
  if (window === null)
    return error === null ? (
      <Skeleton rows={4} />
    ) : (
      <ProblemNotice title="The log cannot be shown" error={error} />
    );
  const held = window.lines.length === 0 ? 0 : Math.max(0, window.to - window.from);
  return (
    <LogView
      label={`the log of ${agent}`}
      lines={window.lines}
      shownOf={shownLine}
      {...(isRunning && { follow: { on: following, set: setFollowing } })}
      onStart={window.from > 0 && !following ? () => void earlier() : undefined}
      onEnd={isRunning || !isAtEnd(window) ? () => void later() : undefined}
      toEnd={isAtEnd(window) ? undefined : () => void goTo('end')}
      extent={
        <>
          {(window.from > 0 || !isAtEnd(window)) && `${sizeOf(held)} of ${sizeOf(window.size)} · `}
          <a href={`/api/projects/attachments/${logId}/download`} download className="link">
            Download
          </a>
        </>
      }
    />
  );
}
