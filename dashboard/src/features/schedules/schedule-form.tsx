import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import { agentsQuery, labelsQuery } from '../../api/lists';
import { asProblem, fieldErrors } from '../../api/problem';
import type { IssueLabel, Label, Priority, Schedule, SchedulePolicy } from '../../api/types';
import { FormDialog } from '../../parts/dialog';
import { SelectField, TextArea, TextField } from '../../parts/field';
import { priorityWord } from '../../parts/status';
import { DayAndTime } from '../../parts/time';
import { announce } from '../../parts/toasts';
import { LabelsField } from '../../shared/labels/field';
import { cronWords } from './cron-words';
import styles from './schedules.module.css';

const readersZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const zones = [...new Set(['UTC', readersZone, ...Intl.supportedValuesOf('timeZone')])];
const priorities: Priority[] = ['none', 'low', 'medium', 'high', 'urgent'];
const policies: [SchedulePolicy, string][] = [
  ['skip', 'Create none'],
  ['queue', 'Create another one'],
  ['replace', 'Close it and create another one'],
];
const NAMED = [
  'name',
  'cron',
  'timeZone',
  'template.title',
  'template.description',
  'template.assignedAgentId',
];

interface Fields {
  name: string;
  cron: string;
  timeZone: string;
  policy: SchedulePolicy;
  title: string;
  description: string;
  assignedAgentId: string;
  priority: Priority;
  labels: readonly IssueLabel[];
}

interface ScheduleFormProps {
  projectId: string;
  /** Null for a new one. */
  schedule: Schedule | null;
  onClose: () => void;
}

/** A schedule with its times in words, and the next five by the reader's own clock. */
export function ScheduleForm({ projectId, schedule, onClose }: ScheduleFormProps) {
  const labels = useQuery(labelsQuery(projectId));
  // What was typed goes before what the schedule has: its labels are named once they are known.
  const [typed, setTyped] = useState<Partial<Fields>>({});
  const fields = { ...fieldsOf(schedule, labels.data), ...typed };
  const set = (part: Partial<Fields>) => setTyped({ ...typed, ...part });
  const save = useSave({ projectId, schedule, fields, onClose });
  const { at, elsewhere } = fieldErrors(save.error, NAMED);
  const ofLabels = errorOfLabels(save.error);
  return (
    <FormDialog
      wide
      onClose={onClose}
      title={schedule === null ? 'New schedule' : `Edit ${schedule.name}`}
      onSubmit={() => save.mutate()}
      verb={schedule === null ? 'Create schedule' : 'Save schedule'}
      busy={save.isPending}
      refused="The schedule was not saved"
      refusal={elsewhere && ofLabels === undefined && save.error}
    >
      <TextField
        label="Name"
        required
        autoFocus
        value={fields.name}
        error={at('name')}
        onChange={({ target }) => set({ name: target.value })}
      />
      <div className={styles.choices}>
        <TextField
          label="Times"
          hint={cronWords(fields.cron) ?? 'Minute, hour, day of the month, month, day of the week'}
          required
          spellCheck={false}
          value={fields.cron}
          error={at('cron')}
          onChange={({ target }) => set({ cron: target.value })}
        />
        <SelectField
          label="Time zone"
          value={fields.timeZone}
          error={at('timeZone')}
          onChange={({ target }) => set({ timeZone: target.value })}
        >
          {[...new Set([...zones, fields.timeZone])].map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </SelectField>
      </div>
      <NextTimes projectId={projectId} cron={fields.cron} timeZone={fields.timeZone} />
      <IssueFields projectId={projectId} fields={fields} set={set} errorAt={at} ofLabels={ofLabels} />
    </FormDialog>
  );
}

interface IssueFieldsProps {
  projectId: string;
  fields: Fields;
  set: (part: Partial<Fields>) => void;
  errorAt: (path: string) => string | undefined;
  ofLabels: string | undefined;
}

/** What each issue is made from, and what happens while the one before is not finished. */
function IssueFields({ projectId, fields, set, errorAt, ofLabels }: IssueFieldsProps) {
  const agents = useQuery(agentsQuery).data;
  const { assignedAgentId } = fields;
  const isUnknown = assignedAgentId !== '' && !agents?.some(({ id }) => id === assignedAgentId);
  return (
    <>
      <TextField
        label="Title of each issue"
        hint="{{date}}, {{time}} and {{number}} are filled in."
        required
        value={fields.title}
        error={errorAt('template.title')}
        onChange={({ target }) => set({ title: target.value })}
      />
      <TextArea
        label="Description"
        hint="The brief that the agent reads. Markdown."
        rows={4}
        value={fields.description}
        error={errorAt('template.description')}
        onChange={({ target }) => set({ description: target.value })}
      />
      <div className={styles.choices}>
        <SelectField
          label="Assign to"
          value={assignedAgentId}
          error={errorAt('template.assignedAgentId')}
          onChange={({ target }) => set({ assignedAgentId: target.value })}
        >
          <option value="">Unassigned</option>
          {/* Without an option of its own it would look unassigned, and choosing that would change nothing. */}
          {isUnknown && <option value={assignedAgentId}>{agents ? 'A retired agent' : '…'}</option>}
          {agents?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Priority"
          value={fields.priority}
          onChange={({ target }) => set({ priority: target.value as Priority })}
        >
          {priorities.map((priority) => (
            <option key={priority} value={priority}>
              {priorityWord(priority)}
            </option>
          ))}
        </SelectField>
        <LabelsField
          what="Labels of each issue"
          projectId={projectId}
          labels={fields.labels}
          error={ofLabels}
          onChange={(labels) => set({ labels })}
        />
        <SelectField
          label="While the last issue is unresolved"
          value={fields.policy}
          onChange={({ target }) => set({ policy: target.value as SchedulePolicy })}
        >
          {policies.map(([policy, words]) => (
            <option key={policy} value={policy}>
              {words}
            </option>
          ))}
        </SelectField>
      </div>
    </>
  );
}

/** The next times as the service counts them. An expression that is still being typed has none, and needs no complaint. */
function NextTimes({ projectId, cron, timeZone }: { projectId: string; cron: string; timeZone: string }) {
  const settled = useDeferredValue(cron.trim());
  const times = useQuery({
    ...nextTimesQuery(projectId, settled, timeZone),
    enabled: cronWords(settled) !== null,
  });
  return (
    <section className={styles.times} aria-live="polite" aria-label="Next times">
      <span className="soft small">The next five times by your clock ({readersZone})</span>
      {times.data ? (
        <ol>
          {times.data.map((time) => (
            <li key={time}>
              <DayAndTime iso={time} />
            </li>
          ))}
        </ol>
      ) : (
        <p className="soft">{times.error ? asProblem(times.error).errors[0]?.message : 'None yet'}</p>
      )}
    </section>
  );
}

/**
 * @param known the labels of the project, once they are. A deleted one is left out then: with it, the service would refuse the
 *   schedule, and nothing could be chosen to take it off.
 */
function fieldsOf(schedule: Schedule | null, known: readonly Label[] | undefined): Fields {
  const template = schedule?.template;
  // A template names labels by id or, in any case, by name.
  const labelOf = (label: string): IssueLabel[] => {
    if (known === undefined) return [{ id: label, name: '…', color: 'gray' }];
    const one = known.find(({ id, name }) => id === label || name.toLowerCase() === label.toLowerCase());
    return one ? [{ id: one.id, name: one.name, color: one.color }] : [];
  };
  return {
    name: schedule?.name ?? '',
    cron: schedule?.cron ?? '0 9 * * 1-5',
    timeZone: schedule?.timeZone ?? readersZone,
    policy: schedule?.policy ?? 'skip',
    title: template?.title ?? '',
    description: template?.description ?? '',
    assignedAgentId: template?.assignedAgentId ?? '',
    priority: template?.priority ?? 'none',
    labels: template?.labels.flatMap(labelOf) ?? [],
  };
}

/** The next five times of an expression, as the service counts them. */
const nextTimesQuery = (projectId: string, cron: string, timeZone: string) =>
  queryOptions({
    queryKey: [...keys.schedules, 'times', projectId, cron, timeZone],
    // The answer of one moment is right for a minute: a form is seldom open for longer.
    staleTime: 60_000,
    retry: false,
    queryFn: async ({ signal }): Promise<string[]> => {
      const checked = await bodyOf(
        api.POST('/api/projects/{projectId}/schedules', {
          params: { path: { projectId } },
          body: { name: 'x', cron, timeZone, template: { title: 'x' }, dryRun: true },
          signal,
        }),
      );
      return 'nextTimes' in checked ? checked.nextTimes : [];
    },
  });

interface Saving extends ScheduleFormProps {
  fields: Fields;
}

function useSave({ projectId, schedule, fields, onClose }: Saving) {
  const client = useQueryClient();
  const { name, cron, timeZone, policy, title, description, priority, assignedAgentId, labels } = fields;
  // Parts of the template that the form does not show stay as they are.
  const template = {
    ...schedule?.template,
    ...{ title, description, priority, assignedAgentId: assignedAgentId || null },
    labels: labels.map(({ id }) => id),
  };
  const body = { name, cron, timeZone, policy, template };
  return useMutation({
    mutationFn: () =>
      bodyOf(
        schedule === null
          ? api.POST('/api/projects/{projectId}/schedules', { params: { path: { projectId } }, body })
          : api.PUT('/api/projects/schedules/{scheduleId}', {
              params: { path: { scheduleId: schedule.id } },
              body,
            }),
      ),
    onSuccess: async () => {
      onClose();
      announce(`The schedule ${name} is ${schedule === null ? 'created' : 'changed'}`);
      await client.invalidateQueries({ queryKey: keys.schedules });
    },
  });
}

/** The service names the place of a label in the list. */
function errorOfLabels(error: unknown): string | undefined {
  if (error === null || error === undefined) return undefined;
  return asProblem(error).errors.find(({ path }) => path.startsWith('template.labels'))?.message;
}
