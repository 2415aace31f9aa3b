import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { agentsQuery, type FoundIssue, peopleQuery, projectsQuery } from '../../api/lists';
import type { Priority } from '../../api/types';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { SelectField, Switch, TextArea, TextField } from '../../parts/field';
import { ProblemNotice } from '../../parts/notice';
import { priorityWord } from '../../parts/status';
import { useDraft } from '../../session/draft';
import { LabelsField } from '../../shared/labels/field';
import { IssuesField } from './commands/blocker-chooser';
import styles from './create-issue.module.css';
import { empty, type Fields, FilesField, Steps, useCreation } from './create-steps';
import { goalsQuery } from './queries';

interface CreateIssueProps {
  /** The key of the project that the person is in. */
  project: string;
  /** The issue that the new one is a part of, where the form is about that. */
  parent?: FoundIssue;
  onClose: () => void;
}

const priorities: Priority[] = ['none', 'low', 'medium', 'high', 'urgent'];
/**
 * Creates an issue with its blockers and files. What was typed stays until the service has accepted it; what fails after
 * the issue is there, such as a file, can be tried again by itself.
 */
export function CreateIssue({ project, parent, onClose }: CreateIssueProps) {
  const {
    value,
    set: setFields,
    discard,
  } = useDraft<Fields>(parent ? `part ${parent.id}` : `issue ${project}`, {
    ...{ ...empty, project },
    parents: parent ? [foundIn(parent)] : [],
  });
  // A draft may be of a version whose form had fewer fields.
  const fields = { ...empty, ...value };
  const [files, setFiles] = useState<readonly File[]>([]);
  const creation = useCreation(onClose, discard);
  const { errors, error, busy, created, steps } = creation;
  const set = (part: Partial<Fields>) => setFields({ ...fields, ...part });
  if (created !== null)
    return (
      <Dialog
        open
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
      open
      wide
      onClose={onClose}
      title={parent ? `New sub-issue of ${parent.key}` : 'New issue'}
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
      <Around fields={fields} set={set} errorAt={errors.at} />
      <FilesField files={files} onChange={setFiles} />
      {errors.elsewhere && <ProblemNotice title="The issue was not created" error={error} />}
    </Dialog>
  );
}

/** A draft keeps no more of an issue than the form shows. */
const foundIn = ({ id, key, title, status, assignee }: FoundIssue): FoundIssue => ({
  ...{ id, key, title, status, assignee },
});

interface ChoicesProps {
  fields: Fields;
  set: (part: Partial<Fields>) => void;
  errorAt: (path: string) => string | undefined;
}

/** Where the issue belongs, who works on it and answers for it, how urgent it is, and what it is sorted under. */
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
        // People, goals, labels and parents are those of a project.
        onChange={(project) => set({ project, goalId: '', assigneeUserId: '', labels: [], parents: [] })}
      />
      <Select
        label="Goal"
        none="No goal"
        value={fields.goalId}
        options={goals.map(({ id, title }) => [id, title])}
        error={errorAt('goalId')}
        onChange={(goalId) => set({ goalId })}
      />
      <LabelsField
        what="Labels of the new issue"
        projectId={projectId ?? fields.project}
        labels={fields.labels}
        error={errorAt('labels')}
        onChange={(labels) => set({ labels })}
      />
    </div>
  );
}

/** What the issue is a part of, and what has to be finished before it. */
function Around({ fields: { project, parents, holdsParent, blockers }, set, errorAt }: ChoicesProps) {
  const [parent] = parents;
  return (
    <div className={styles.pair}>
      <div className="stack">
        <IssuesField
          label="Part of"
          choose="Choose the parent"
          hint="The issue of which this one is a sub-issue."
          projectId={project}
          beside={project}
          except={[]}
          most={1}
          issues={parents}
          error={errorAt('parentId')}
          onChange={(next) => set({ parents: next })}
        />
        {parent && (
          <Switch
            label={`${parent.key} waits for it`}
            checked={holdsParent}
            onChange={(next) => set({ holdsParent: next })}
          />
        )}
      </div>
      <IssuesField
        label="Blocked by"
        hint="What must be finished first: any number of issues, of any project."
        projectId={project}
        except={[]}
        issues={blockers}
        error={errorAt('blockedByIssueId')}
        onChange={(next) => set({ blockers: next })}
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
