import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { agentsQuery, type FoundIssue, peopleQuery, projectsQuery } from '../../api/lists';
import { fieldErrors } from '../../api/problem';
import type { Issue, Priority } from '../../api/types';
import { reveal } from '../../keyboard/use-steps';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { SelectField, TextArea, TextField } from '../../parts/field';
import { ProblemNotice } from '../../parts/notice';
import { priorityWord } from '../../parts/status';
import { announce, announceRefusal } from '../../parts/toasts';
import { useDraft } from '../../session/draft';
import { refreshIssues } from './board/board-data';
import { IssuesField } from './commands/blocker-chooser';
import styles from './create-issue.module.css';
import { FilesField, sendFile, type Step, Steps, useStepList } from './create-steps';
import { goalsQuery } from './queries';

interface CreateIssueProps {
  /** The key of the project that the person is in. */
  project: string;
  open: boolean;
  onClose: () => void;
}

const empty = {
  title: '',
  description: '',
  assignedAgentId: '',
  assigneeUserId: '',
  goalId: '',
  priority: 'none' as Priority,
  blockers: [] as FoundIssue[],
};
type Fields = typeof empty & { project: string };

const priorities: Priority[] = ['none', 'low', 'medium', 'high', 'urgent'];
const NAMED = [
  'title',
  'description',
  'assignedAgentId',
  'assigneeUserId',
  'goalId',
  'blockedByIssueId',
] as const;

/**
 * Creates an issue with its blockers and files. What was typed stays until the service has accepted it; what fails after
 * the issue is there, such as a file, can be tried again by itself.
 */
export function CreateIssue({ project, open, onClose }: CreateIssueProps) {
  const {
    value: fields,
    set: setFields,
    discard,
  } = useDraft<Fields>(`issue ${project}`, { ...empty, project });
  const [files, setFiles] = useState<readonly File[]>([]);
  const creation = useCreation(onClose, discard);
  const { errors, error, busy, created, steps } = creation;
  const set = (part: Partial<Fields>) => setFields({ ...fields, ...part });
  if (created !== null)
    return (
      <Dialog
        open={open}
        onClose={onClose}
        title={`${created.key} is created`}
        footer={
          <>
            {steps.failed > 0 && !busy && <Button onClick={creation.again}>Try again</Button>}
            <Button look="primary" onClick={onClose}>
              {busy ? 'Go on in the background' : 'Done'}
            </Button>
          </>
        }
      >
        <Steps steps={steps.all} />
      </Dialog>
    );
  return (
    <Dialog
      open={open}
      wide
      onClose={onClose}
      title="New issue"
      onSubmit={() => creation.create(fields, files)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={busy}>
            Create issue
          </Button>
        </>
      }
    >
      <TextField
        label="Title"
        hint="Short, as an order: “Make refunds idempotent”"
        required
        autoFocus
        value={fields.title}
        error={errors.at('title')}
        onChange={(event) => set({ title: event.target.value })}
      />
      <TextArea
        label="Description"
        hint="The brief that the agent reads. Markdown."
        rows={6}
        value={fields.description}
        error={errors.at('description')}
        onChange={(event) => set({ description: event.target.value })}
      />
      <Choices fields={fields} set={set} errorAt={errors.at} />
      <IssuesField
        label="Blocked by"
        hint="What must be finished first: any number of issues, of any project."
        projectId={fields.project}
        except={[]}
        issues={fields.blockers}
        error={errors.at('blockedByIssueId')}
        onChange={(blockers) => set({ blockers })}
      />
      <FilesField files={files} onChange={setFiles} />
      {errors.elsewhere && <ProblemNotice title="The issue was not created" error={error} />}
    </Dialog>
  );
}

interface ChoicesProps {
  fields: Fields;
  set: (part: Partial<Fields>) => void;
  errorAt: (path: string) => string | undefined;
}

/** Where the issue belongs, who works on it and answers for it, and how urgent it is. */
function Choices({ fields, set, errorAt }: ChoicesProps) {
  const projects = useQuery(projectsQuery).data ?? [];
  const agents = useQuery(agentsQuery).data ?? [];
  const projectId = projects.find(({ key }) => key === fields.project)?.id;
  const people = useQuery({ ...peopleQuery(projectId ?? ''), enabled: projectId !== undefined }).data ?? [];
  const goals = useQuery(goalsQuery(fields.project)).data ?? [];
  return (
    <div className={styles.choices}>
      <Select
        label="Assign to"
        none="Unassigned"
        value={fields.assignedAgentId}
        options={agents.map(({ id, name }) => [id, name])}
        error={errorAt('assignedAgentId')}
        onChange={(assignedAgentId) => set({ assignedAgentId })}
      />
      <Select
        label="Responsible person"
        none="Nobody"
        value={fields.assigneeUserId}
        options={people.map(({ id, name }) => [id, name])}
        error={errorAt('assigneeUserId')}
        onChange={(assigneeUserId) => set({ assigneeUserId })}
      />
      <Select
        label="Priority"
        value={fields.priority}
        options={priorities.map((priority) => [priority, priorityWord(priority)])}
        onChange={(priority) => set({ priority: priority as Priority })}
      />
      <Select
        label="Project"
        value={fields.project}
        options={projects.map(({ key, name }) => [key, `${name} (${key})`])}
        // People and goals are those of a project.
        onChange={(project) => set({ project, goalId: '', assigneeUserId: '' })}
      />
      <Select
        label="Goal"
        none="No goal"
        value={fields.goalId}
        options={goals.map(({ id, title }) => [id, title])}
        error={errorAt('goalId')}
        onChange={(goalId) => set({ goalId })}
      />
    </div>
  );
}

interface SelectProps {
  label: string;
  /** The words of an empty choice; absent where there is none. */
  none?: string;
  value: string;
  options: readonly (readonly [string, string])[];
  error?: string | undefined;
  onChange: (value: string) => void;
}

function Select({ label, none, value, options, error, onChange }: SelectProps) {
  return (
    <SelectField label={label} value={value} error={error} onChange={(event) => onChange(event.target.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </SelectField>
  );
}

/** Creates the issue, then links its further blockers and sends its files. */
function useCreation(onClose: () => void, discard: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const sent = useRef({ body: '', key: '' });
  const [created, setCreated] = useState<Issue | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const steps = useStepList();
  const finish = async (issue: Issue, run: Promise<readonly Step[]>): Promise<void> => {
    setBusy(true);
    const failed = await run;
    setBusy(false);
    if (failed.length === 0) onClose();
    for (const { label, problem } of failed) announceRefusal(`${issue.key}: ${label} is missing`, problem);
  };
  const create = async (fields: Fields, files: readonly File[]): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const issue = await send(fields, sent.current);
      discard();
      announce(`${issue.key} is created`, issue.title, {
        label: `Open ${issue.key}`,
        perform: () => void navigate({ to: '/i/$key', params: { key: issue.key } }),
      });
      void refreshIssues(client, [issue.id]).then(() => reveal(issue.key));
      const further = fields.blockers.slice(1).map((blocker) => linkStep(issue, blocker));
      const all = [...further, ...files.map((file) => fileStep(issue, file))];
      if (all.length > 0) setCreated(issue);
      await finish(issue, steps.run(all));
    } catch (refusal) {
      setBusy(false);
      setError(refusal);
    }
  };
  return {
    create: (fields: Fields, files: readonly File[]) => void create(fields, files),
    again: () => created && void finish(created, steps.again()),
    errors: fieldErrors(error, NAMED),
    error,
    busy,
    created,
    steps: { all: steps.all, failed: steps.all.filter(({ state }) => state === 'failed').length },
  };
}

/** The same form sent again, because no answer came, creates no second issue. */
function send(fields: Fields, sent: { body: string; key: string }): Promise<Issue> {
  const { project, title, description, priority, assignedAgentId, assigneeUserId, goalId, blockers } = fields;
  const [first] = blockers;
  const body = {
    title,
    priority,
    ...(description === '' ? {} : { description }),
    ...(assignedAgentId === '' ? {} : { assignedAgentId }),
    ...(assigneeUserId === '' ? {} : { assigneeUserId }),
    ...(goalId === '' ? {} : { goalId }),
    ...(first === undefined ? {} : { blockedByIssueId: first.id }),
  };
  const text = JSON.stringify([project, body]);
  if (sent.body !== text) Object.assign(sent, { body: text, key: crypto.randomUUID() });
  return bodyOf(
    api.POST('/api/projects/{projectId}/issues', {
      params: { path: { projectId: project }, header: { 'Idempotency-Key': sent.key } },
      body,
    }),
  );
}

const linkStep = (issue: Issue, { id, key }: FoundIssue): Omit<Step, 'state'> => ({
  id: `link ${id}`,
  label: `The blocker ${key}`,
  icon: 'waiting',
  run: () =>
    api.POST('/api/projects/issues/{issueId}/links', {
      params: { path: { issueId: issue.id } },
      body: { targetIssueId: id, linkType: 'BlockedBy' },
    }),
});

const fileStep = (issue: Issue, file: File): Omit<Step, 'state'> => ({
  id: `file ${file.name} ${file.size} ${file.lastModified}`,
  label: `The file ${file.name}`,
  icon: 'file',
  run: (onProgress) => sendFile(issue.id, file, onProgress),
});
