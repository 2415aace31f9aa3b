import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Issue } from '../../../../api/types';
import { Button } from '../../../../parts/button';
import { Card } from '../../../../parts/card';
import { Choice, Segments } from '../../../../parts/field';
import { sayNumber } from '../../../../parts/count';
import { MarkedText } from '../../../../parts/marked-text';
import { Table } from '../../../../parts/table';
import { activityQuery, commentsQuery, laneCallsQuery, runsQuery } from '../../queries';
import { axisOf, lasting, type Moment, momentOf, type Span, stretchOf } from './axis';
import { Chart, type Chosen } from './chart';
import { busyIn, extentOf, laneIds, laneNames, type Lanes, lanesOf, summaryOf } from './lanes';
import styles from './run.module.css';

/** How often what has not ended grows. */
const GROWS_MS = 5_000;

interface LanesCardProps extends Chosen {
  issue: Issue;
}

/** Where the time of an issue went: leases, turns, tool calls, questions and comments over one axis of time. */
export function LanesCard(props: LanesCardProps) {
  const lanes = useLanes(props.issue);
  // Before any work there is nothing to compare; the timeline says it all.
  if (lanes === null || lanes.leases.length === 0) return null;
  return <OverTime {...props} lanes={lanes} />;
}

/** The lanes of an issue, which grow while it is worked on or waits for an answer; null until all of them are read. */
function useLanes(issue: Issue): Lanes | null {
  const isWorkedOn = issue.lease !== null;
  const activity = useQuery(activityQuery(issue.id)).data?.rows;
  const comments = useQuery(commentsQuery(issue.id)).data?.rows;
  const runs = useQuery(runsQuery(issue.id, isWorkedOn)).data;
  const calls = useQuery(laneCallsQuery(issue.id, isWorkedOn)).data?.rows;
  const now = useNow(issue.status !== 'Resolved' && issue.status !== 'Closed');
  return useMemo(
    () =>
      activity && comments && runs && calls ? lanesOf({ issue, activity, comments, runs, calls }, now) : null,
    [issue, activity, comments, runs, calls, now],
  );
}

function useNow(isMoving: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => document.hidden || setNow(Date.now()), GROWS_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  return now;
}

function OverTime({ issue, lanes, chosen, onChoose }: LanesCardProps & { lanes: Lanes }) {
  const [view, setView] = useState<'lanes' | 'table'>('lanes');
  const [leaseId, setLeaseId] = useState<string>();
  const lease = lanes.leases.find(({ id }) => id === leaseId);
  const whole = extentOf(lanes);
  const axis = lease ? axisOf(lease, [lease]) : axisOf(whole, busyIn(lanes));
  return (
    <Card
      title="Where the time went"
      flush
      actions={
        <Segments
          label="Show it as"
          hideLabel
          value={view}
          options={[
            ['lanes', 'Lanes'],
            ['table', 'Table'],
          ]}
          onChange={setView}
        />
      }
    >
      <div className={styles.head}>
        <p>{summaryOf(lanes)}</p>
        {lanes.leases.length > 1 && (
          <Choice
            label="The time that is shown"
            any="The whole time"
            value={lease?.id}
            options={lanes.leases
              .map((one) => [one.id, `${one.short} · ${stretchOf(one)}`] as const)
              .toReversed()}
            onChange={setLeaseId}
          />
        )}
      </div>
      {view === 'lanes' ? (
        <Chart
          lanes={lanes}
          axis={axis}
          label={`${issue.key} over time`}
          chosen={chosen}
          onChoose={onChoose}
        />
      ) : (
        <MarkTable lanes={lanes} within={axis} onChoose={onChoose} />
      )}
      {chosen && <ChosenMarks lanes={lanes} chosen={chosen} onChoose={onChoose} />}
    </Card>
  );
}

/** The marks of all lanes, newest first, with the name of their lane. */
function marksIn(lanes: Lanes, { from, to }: Span) {
  return laneIds
    .flatMap((lane) => lanes[lane].map((mark) => ({ ...mark, lane })))
    .filter((mark) => mark.to >= from && mark.from <= to)
    .toSorted((a, b) => b.from - a.from);
}

/** How many rows the table has; the list of tool calls has all calls. */
const MOST_ROWS = 200;

/** The same as the lanes, for those who read instead of look. */
function MarkTable({ lanes, within, onChoose }: { lanes: Lanes; within: Span } & Pick<Chosen, 'onChoose'>) {
  const marks = marksIn(lanes, within);
  return (
    <>
      <Table
        label="What happened, newest first"
        columns={['When', 'Lane', 'What', 'Lasted']}
        numbers={['Lasted']}
      >
        {marks.slice(0, MOST_ROWS).map(({ lane, ...mark }) => (
          <tr key={`${lane} ${mark.id}`}>
            <td data-label="When" className={styles.when}>
              <button
                type="button"
                className="link"
                onClick={() =>
                  onChoose({ from: mark.from, to: mark.to, words: `${mark.words}, ${stretchOf(mark)}` })
                }
              >
                {momentOf(mark.from)}
              </button>
            </td>
            <td data-label="Lane">{laneNames[lane]}</td>
            <td data-label="What" className={styles.what}>
              <MarkedText text={mark.words} />
            </td>
            <td data-label="Lasted" data-number="">
              {mark.to === mark.from ? '' : lasting(mark.to - mark.from)}
              {mark.open && ' so far'}
            </td>
          </tr>
        ))}
      </Table>
      {marks.length > MOST_ROWS && (
        <p className={styles.readout}>
          The newest {MOST_ROWS} of {sayNumber(marks.length)}.
        </p>
      )}
    </>
  );
}

const MOST_CHOSEN = 8;

/** What lies in the chosen time, since a mark may stand for many tool calls. */
function ChosenMarks({
  lanes,
  chosen,
  onChoose,
}: {
  lanes: Lanes;
  chosen: Moment;
  onChoose: Chosen['onChoose'];
}) {
  const marks = marksIn(lanes, chosen).filter(({ lane }) => lane !== 'status' && lane !== 'leases');
  return (
    <div className={styles.chosen}>
      <div className="row">
        <strong>
          <MarkedText text={chosen.words} />
        </strong>
        <Button small look="quiet" onClick={() => onChoose(null)}>
          Show everything
        </Button>
      </div>
      {marks.length > 1 && (
        <ol reversed>
          {marks.slice(0, MOST_CHOSEN).map((mark) => (
            <li key={`${mark.lane} ${mark.id}`}>
              <span className="soft">{momentOf(mark.from)}</span> <MarkedText text={mark.words} />
            </li>
          ))}
        </ol>
      )}
      {marks.length > MOST_CHOSEN && (
        <p className="soft small">and {sayNumber(marks.length - MOST_CHOSEN)} more before these</p>
      )}
    </div>
  );
}
