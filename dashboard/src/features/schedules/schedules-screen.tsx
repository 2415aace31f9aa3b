import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf, pageOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { Schedule } from '../../api/types';
import { useActions } from '../../keyboard/use-actions';
import { Button } from '../../parts/button';
import { Card } from '../../parts/card';
import { Confirm } from '../../parts/dialog';
import { later } from '../../parts/later';
import { Empty, Loaded } from '../../parts/notice';
import { Pill } from '../../parts/status';
import { Table } from '../../parts/table';
import { Ago, DayAndTime } from '../../parts/time';
import { announce, announceRefusal } from '../../parts/toasts';
import { hasRole, useMe } from '../../session/me';
import { cronWords } from './cron-words';
import styles from './schedules.module.css';

const ScheduleForm = later(async () => (await import('./schedule-form')).ScheduleForm);

/** The schedules of a project, oldest first; a project has 200 at most. */
const schedulesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.schedules, projectId],
    queryFn: async () =>
      (
        await pageOf(
          api.GET('/api/projects/{projectId}/schedules', {
            params: { path: { projectId }, query: { limit: 200 } },
          }),
        )
      ).rows,
  });

/** What is open over the schedules: the form of a new one or of one of them, or the question before one is deleted. */
type Open = { kind: 'new' } | { kind: 'edit' | 'delete'; schedule: Schedule } | null;

/** The schedules of a project: when each creates its next issue, what became of the last, and whether it fails. */
export function SchedulesScreen({ projectId }: { projectId: string }) {
  const schedules = useQuery(schedulesQuery(projectId));
  const editable = hasRole(useMe(), 'Editor');
  const [open, setOpen] = useState<Open>(null);
  const create = () => setOpen({ kind: 'new' });
  const close = () => setOpen(null);
  useActions([
    {
      id: 'create-schedule',
      name: 'New schedule',
      icon: 'plus',
      group: 'Create',
      available: editable,
      perform: create,
    },
  ]);
  const button = editable && (
    <Button small icon="plus" onClick={create}>
      New schedule
    </Button>
  );
  return (
    <>
      <Loaded query={schedules} what="The schedules">
        {(all) =>
          all.length === 0 ? (
            <Empty icon="clock" title="No schedules yet" actions={button}>
              A schedule creates an issue at each of its times, such as a report each morning.
            </Empty>
          ) : (
            <Card title="Schedules" count={all.length} actions={button} flush>
              <Table label="Schedules" columns={['Schedule', 'Times', 'Next', 'Last issue', 'State', '']}>
                {all.map((schedule) => (
                  <Row key={schedule.id} schedule={schedule} editable={editable} onOpen={setOpen} />
                ))}
              </Table>
            </Card>
          )
        }
      </Loaded>
      {open?.kind === 'new' && <ScheduleForm projectId={projectId} schedule={null} onClose={close} />}
      {open?.kind === 'edit' && (
        <ScheduleForm projectId={projectId} schedule={open.schedule} onClose={close} />
      )}
      {open?.kind === 'delete' && <DeleteSchedule schedule={open.schedule} onClose={close} />}
    </>
  );
}

interface RowProps {
  schedule: Schedule;
  editable: boolean;
  onOpen: (open: Open) => void;
}

function Row({ schedule, editable, onOpen }: RowProps) {
  const { name, cron, timeZone, template, nextAt, lastAt, lastIssueId } = schedule;
  return (
    <tr>
      <td>
        <b>{name}</b>
        <div className="soft small">{template.title}</div>
      </td>
      <td data-label="Times">
        <div>
          {cronWords(cron) ?? cron}
          <div className="soft small">
            <code>{cron}</code> {timeZone}
          </div>
        </div>
      </td>
      <td data-label="Next">
        {nextAt === null ? <span className="soft">none</span> : <DayAndTime iso={nextAt} />}
      </td>
      <td data-label="Last issue">
        {lastAt === null && <span className="soft">none</span>}
        {lastAt !== null && lastIssueId === null && <Ago iso={lastAt} />}
        {lastAt !== null && lastIssueId !== null && (
          <Link to="/i/$key" params={{ key: lastIssueId }} className="link">
            <Ago iso={lastAt} />
            <span className="sr-only">, the last issue of {name}</span>
          </Link>
        )}
      </td>
      <td data-label="State">
        <State schedule={schedule} />
      </td>
      <td>{editable && <Commands schedule={schedule} onOpen={onOpen} />}</td>
    </tr>
  );
}

function State({ schedule: { enabled, failures, lastFailure } }: { schedule: Schedule }) {
  return (
    <div className={styles.name}>
      {enabled ? (
        <Pill tone="enabled" icon="enabled">
          On
        </Pill>
      ) : (
        <Pill tone="disabled" icon="disabled">
          Off
        </Pill>
      )}
      {failures > 0 && (
        <>
          <Pill tone="danger" icon="error">
            {failures === 1 ? 'Failed once' : `Failed ${failures} times`}
          </Pill>
          <span className="small">{lastFailure}</span>
        </>
      )}
    </div>
  );
}

function Commands({ schedule, onOpen }: Pick<RowProps, 'schedule' | 'onOpen'>) {
  const { name, enabled } = schedule;
  const change = useScheduleChange(schedule);
  const send = (what: 'run' | 'enable' | 'disable') =>
    change.mutate(what, {
      onError: (error) =>
        announceRefusal(what === 'run' ? `${name} was not run` : `${name} was not changed`, error),
    });
  return (
    <span className="row">
      <Button small busy={change.isPending} aria-label={`Run ${name} now`} onClick={() => send('run')}>
        Run now
      </Button>
      <Button
        small
        aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
        onClick={() => send(enabled ? 'disable' : 'enable')}
      >
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button small aria-label={`Edit ${name}`} onClick={() => onOpen({ kind: 'edit', schedule })}>
        Edit
      </Button>
      <Button
        small
        look="danger"
        aria-label={`Delete ${name}`}
        onClick={() => onOpen({ kind: 'delete', schedule })}
      >
        Delete
      </Button>
    </span>
  );
}

function DeleteSchedule({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const remove = useScheduleChange(schedule);
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete the schedule ${schedule.name}?`}
      verb="Delete schedule"
      onConfirm={() => remove.mutate('delete', { onSuccess: onClose })}
      busy={remove.isPending}
      error={remove.error}
    >
      <p>It creates no further issues. Those that it has created stay. This cannot be undone.</p>
    </Confirm>
  );
}

type Change = 'run' | 'enable' | 'disable' | 'delete';
const done: Record<Change, string> = {
  run: 'has created an issue',
  enable: 'is enabled',
  disable: 'is disabled',
  delete: 'is deleted',
};

/** Runs, enables, disables or deletes a schedule. */
function useScheduleChange({ id, name }: Schedule) {
  const client = useQueryClient();
  const place = { params: { path: { scheduleId: id } } };
  return useMutation({
    mutationFn: async (change: Change) => {
      if (change === 'delete') await api.DELETE('/api/projects/schedules/{scheduleId}', place);
      else if (change === 'run') await bodyOf(api.POST('/api/projects/schedules/{scheduleId}/run', place));
      else
        await bodyOf(
          api.PUT('/api/projects/schedules/{scheduleId}', {
            ...place,
            body: { enabled: change === 'enable' },
          }),
        );
    },
    onSuccess: (_, change) => {
      announce(`The schedule ${name} ${done[change]}`);
      return client.invalidateQueries({ queryKey: keys.schedules });
    },
  });
}
