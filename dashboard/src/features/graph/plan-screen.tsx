import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api, bodyOf, makeKeyed } from '../../api/client';
import { keys } from '../../api/keys';
import { agentsQuery } from '../../api/lists';
import { asProblem } from '../../api/problem';
import type { Graph, GraphNode, PlanPreview } from '../../api/types';
import { Button, Buttons } from '../../parts/button';
import { Card } from '../../parts/card';
import { countOf } from '../../parts/count';
import { TextArea } from '../../parts/field';
import { Notice, ProblemNotice } from '../../parts/notice';
import { StatusIcon } from '../../parts/status';
import { announce } from '../../parts/toasts';
import { useDraft } from '../../session/draft';
import { Canvas } from './canvas';
import styles from './graph.module.css';
import { type PlanIssue, type ReadPlan, readPlan } from './plan-text';

/** The outcome of a check: what the service would create, or why not. */
interface Checked {
  text: string;
  read: ReadPlan;
  preview: PlanPreview | null;
  error: unknown;
}

const EXAMPLE = `- Build the packages {#build}
- Write the notes {#notes}
  - Collect the fixes
  - Describe them after: 2.1
- Publish after: build, notes`;

/** A plan as a text, as a picture before it is created, and created in one request. */
export function PlanScreen({ project }: { project: string }) {
  const { value: text, set, discard } = useDraft<string>(`plan ${project}`, '');
  const { checked, busy, check, create, refusal } = usePlan(project, discard);
  const area = useRef<HTMLTextAreaElement>(null);
  const current = checked !== null && checked.text === text ? checked : null;
  const count = current?.preview?.issues.length ?? 0;
  return (
    <div className={styles.screen}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void check(text);
        }}
      >
        <TextArea
          label="Plan"
          ref={area}
          rows={12}
          spellCheck={false}
          value={text}
          placeholder={EXAMPLE}
          hint="A Markdown list: each item is an issue, a nested item a part of the one above it, indented text its description. {#name} names an issue; “after: name, DOCS-7” at the end says what has to be finished first. Or the JSON of the API."
          onChange={(event) => set(event.target.value)}
        />
        <Buttons>
          <Button type="submit" look={count > 0 ? 'plain' : 'primary'} busy={busy === 'check'}>
            Check plan
          </Button>
          {current?.preview && (
            <Button look="primary" busy={busy === 'create'} onClick={() => void create(current.read)}>
              Create {countOf(count, 'issue')}
            </Button>
          )}
        </Buttons>
      </form>
      {refusal !== null && <ProblemNotice title="The plan was not created" error={refusal} />}
      {current && !current.preview && <Problems checked={current} area={area.current} />}
      {current?.preview && <Preview read={current.read} preview={current.preview} />}
    </div>
  );
}

/** Checks and creates plans. The same plan sent again, because no answer came, is created once. */
function usePlan(project: string, discard: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [checked, setChecked] = useState<Checked | null>(null);
  const [busy, setBusy] = useState<'check' | 'create' | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [keyed] = useState(makeKeyed);
  const check = async (text: string): Promise<void> => {
    setRefusal(null);
    const read = readPlan(text);
    if (read.problems.length > 0) return setChecked({ text, read, preview: null, error: null });
    setBusy('check');
    try {
      const preview = (await send(project, read.issues, true)) as PlanPreview;
      setChecked({ text, read, preview, error: null });
    } catch (error) {
      setChecked({ text, read, preview: null, error });
    }
    setBusy(null);
  };
  const create = async ({ issues }: ReadPlan): Promise<void> => {
    setBusy('create');
    setRefusal(null);
    try {
      await keyed(JSON.stringify(issues), (key) => send(project, issues, false, key));
      discard();
      announce(`${countOf(issues.length, 'issue')} created`, `The plan is in ${project} now.`);
      await client.invalidateQueries({ queryKey: keys.issueLists });
      await navigate({ to: '/p/$key/graph', params: { key: project } });
    } catch (error) {
      setRefusal(error);
    }
    setBusy(null);
  };
  return { checked, busy, check, create, refusal };
}

function send(project: string, issues: PlanIssue[], dryRun: boolean, key?: string) {
  return bodyOf(
    api.POST('/api/projects/{projectId}/plans', {
      params: {
        path: { projectId: project },
        ...(key === undefined ? {} : { header: { 'Idempotency-Key': key } }),
      },
      body: { issues, dryRun },
    }),
  );
}

const PLACE = /^issues\[(\d+)\]\.?(.*)$/;

/** What is wrong, each at its line of the text; a press leads there. */
function Problems({ checked, area }: { checked: Checked; area: HTMLTextAreaElement | null }) {
  const { read, error, text } = checked;
  const problem = error === null ? null : asProblem(error);
  const placed = problem?.errors.map(({ path, message }) => {
    const [, at, field] = PLACE.exec(path) ?? [];
    const issue = at === undefined ? undefined : read.issues[Number(at)];
    const where = issue === undefined ? path : `${issue.title} (${field})`;
    return {
      line: at === undefined ? null : (read.lines[Number(at)] ?? null),
      message: `${where}: ${message}`,
    };
  });
  const problems = [...read.problems, ...(placed ?? [])];
  if (problem && problems.length === 0)
    return <ProblemNotice title="The plan cannot be created" error={error} />;
  return (
    <Notice tone="bad" title="The plan cannot be created">
      {problem && problem.code !== 'validation_failed' && <p>{problem.detail}</p>}
      <ul>
        {problems.map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            {line !== null && (
              <Button small look="quiet" onClick={() => area && selectLine(area, text, line)}>
                Line {line}
              </Button>
            )}{' '}
            {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function selectLine(area: HTMLTextAreaElement, text: string, line: number): void {
  const lines = text.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}

/** The graph of a plan with its longest chain, and the same in an order of the work. */
function Preview({ read, preview }: { read: ReadPlan; preview: PlanPreview }) {
  const agents = useQuery(agentsQuery).data ?? [];
  const list = useRef<HTMLOListElement>(null);
  const byRef = new Map(read.issues.map((issue) => [issue.ref, issue]));
  const status = new Map(preview.issues.map((issue) => [issue.ref, issue.status]));
  const critical = new Set(preview.critical);
  const nodes = read.issues.map(({ ref, title, assignedAgentId }) => {
    const agent = agents.find(({ id }) => id === assignedAgentId);
    const assignee = agent ? { type: 'agent', id: agent.id, name: agent.name } : null;
    return { id: ref, key: ref, title, status: status.get(ref), assignee, hidden: 0 } as unknown as GraphNode;
  });
  const edges = read.issues.flatMap(({ ref, blockedBy = [], parent, ['holdsParent']: holds }) => [
    ...blockedBy.map((source) => ({ id: `${source} ${ref}`, source, target: ref, linkType: 'Blocks' })),
    ...(parent !== undefined && holds !== false
      ? [{ id: `${ref} ${parent} part`, source: ref, target: parent, linkType: 'Child' }]
      : []),
  ]);
  const graph = {
    nodes,
    edges: edges.filter(({ source, target }) => byRef.has(source) && byRef.has(target)),
  };
  const ready = preview.issues.filter((issue) => issue.status === 'Open').length;
  return (
    <>
      <Notice title={`${countOf(preview.issues.length, 'issue')} can be created`}>
        <p>
          {ready} can begin at once. The longest chain has {countOf(preview.critical.length, 'step')}:{' '}
          {preview.critical.join(' → ')}.
        </p>
      </Notice>
      <Canvas
        graph={{ ...graph, truncated: false } as unknown as Graph}
        focusId={null}
        chain={preview.critical}
        onOpen={(ref) => list.current?.querySelector<HTMLElement>(`[data-ref="${CSS.escape(ref)}"]`)?.focus()}
      />
      <p className={styles.legend}>
        <span data-line="thick">The longest chain</span>
        <span data-line="plain">Blocks</span>
      </p>
      <Card title="In this order">
        <ol className={styles.order} ref={list}>
          {preview.order.map((ref) => (
            <li key={ref} data-ref={ref} tabIndex={-1}>
              <StatusIcon status={status.get(ref) ?? 'Open'} />
              <span className={styles.key}>{ref}</span>
              <span className={styles.title}>{byRef.get(ref)?.title}</span>
              {critical.has(ref) && <span className={styles.end}>On the longest chain</span>}
            </li>
          ))}
        </ol>
      </Card>
    </>
  );
}
