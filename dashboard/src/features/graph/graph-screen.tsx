import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import { countsQuery, groupsQuery } from '../../api/lists';
import type { Graph, GraphNode } from '../../api/types';
import { Button, buttonClass } from '../../parts/button';
import { Card, Rows } from '../../parts/card';
import { Choice, Switch } from '../../parts/field';
import { countOf } from '../../parts/count';
import { Empty, Loaded } from '../../parts/notice';
import { FilterBar, usePhone } from '../../parts/page';
import { Count, StatusIcon } from '../../parts/status';
import { Who } from '../../parts/who';
import { Canvas } from './canvas';
import { type Relations, relationsOf } from './fold';
import styles from './graph.module.css';

/** What part of a project's graph is shown; it lives in the address. */
interface GraphView {
  /** The key of the issue in the middle. */
  focus?: string | undefined;
  depth: number;
  done: boolean;
}

/** More cannot be read on one screen; the service says how many issues each node hides. */
const SHOWN = 80;

const graphQuery = (projectId: string, { focus, depth, done }: GraphView) =>
  queryOptions({
    queryKey: [...keys.issueLists, projectId, 'graph', { focus, depth, done }],
    queryFn: () =>
      bodyOf(
        api.GET('/api/projects/{projectId}/graph', {
          params: {
            path: { projectId },
            query: { depth, done, limit: SHOWN, ...(focus === undefined ? {} : { focus }) },
          },
        }),
      ),
    // The graph before stays until the next one is there.
    placeholderData: keepPreviousData,
  });

interface GraphScreenProps {
  project: string;
  view: GraphView;
  onView: (view: GraphView) => void;
}

const depths = ['1', '2', '3', '4', '5', '6'].map(
  (depth) => [depth, depth === '1' ? '1 link' : `${depth} links`] as const,
);

/** What blocks what around a focus, or the unfinished issues that hold up most. Never the whole graph. */
export function GraphScreen({ project, view, onView }: GraphScreenProps) {
  const graph = useQuery(graphQuery(project, view));
  // The graph before keeps its focus: the next one is drawn, and put in view, when it is there.
  const drawn = useRef(view);
  if (!graph.isPlaceholderData) drawn.current = view;
  return (
    <>
      <FilterBar end={graph.data && <Shown project={project} graph={graph.data} />}>
        {view.focus !== undefined && (
          <>
            <Choice
              label="Distance from the focus"
              any="2 links"
              value={view.depth === 2 ? undefined : String(view.depth)}
              options={depths.filter(([depth]) => depth !== '2')}
              onChange={(depth) => onView({ ...view, depth: Number(depth ?? 2) })}
            />
            <Link to="/i/$key" params={{ key: view.focus }} className={buttonClass({ small: true })}>
              Open {view.focus}
            </Link>
            <Button small onClick={() => onView({ ...view, focus: undefined })}>
              Without focus
            </Button>
          </>
        )}
        <Switch label="Show finished" checked={view.done} onChange={(done) => onView({ ...view, done })} />
      </FilterBar>
      <Loaded query={graph} what="The graph">
        {(data) =>
          data.nodes.length === 0 ? (
            <Empty icon="tree" title="Nothing waits for anything">
              No unfinished issue of this project blocks another. Add a blocker to an issue with the key b.
            </Empty>
          ) : (
            <Drawn project={project} graph={data} view={drawn.current} />
          )
        }
      </Loaded>
    </>
  );
}

/** How much of the graph is drawn, and how many issues wait in all, by the service's count. */
function Shown({ project, graph: { nodes, truncated } }: { project: string; graph: Graph }) {
  const waiting = useQuery(countsQuery(project)).data?.WaitingOnDependency;
  return (
    <>
      {countOf(nodes.length, 'issue')} shown
      {waiting !== undefined && ` · ${countOf(waiting, 'waits', 'wait')} in all`}
      {truncated && ' · limited'}
    </>
  );
}

function Drawn({ project, graph, view }: { project: string; graph: Graph; view: GraphView }) {
  const { focus } = view;
  const phone = usePhone();
  const relations = useMemo(() => relationsOf(graph), [graph]);
  const focusId = graph.nodes.find(({ key, id }) => key === focus || id === focus)?.id ?? null;
  const canvas = <Canvas key={JSON.stringify(view)} graph={graph} focusId={focusId} />;
  const list = <GraphList graph={graph} relations={relations} focusId={focusId} />;
  return (
    <div className={styles.screen}>
      {phone ? list : canvas}
      <p className={styles.legend}>
        <span data-line="thick">Holds up {focus ?? 'the focus'}</span>
        <span data-line="plain">Blocks</span>
        <span data-line="dashed">Related or duplicate</span>
      </p>
      {phone ? canvas : list}
      <Roots project={project} />
    </div>
  );
}

const ROOTS_SHOWN = 10;

/** The unfinished issues that wait for nothing, with how many issues of the project wait for each by the service's count. */
function Roots({ project }: { project: string }) {
  const roots = useQuery(groupsQuery(project, 'root')).data?.groups.slice(0, ROOTS_SHOWN) ?? [];
  if (roots.length === 0) return null;
  return (
    <Card title="What holds up most" flush>
      <Rows>
        {roots.map(({ value, key, name, status, issues }) => (
          <li key={value}>
            {status && <StatusIcon status={status} />}
            <span className={styles.key}>{key}</span>
            <Link to="/i/$key" params={{ key: key ?? value }} className="clip">
              {name}
            </Link>
            <span className={styles.end}>
              <Count value={issues} label={issues === 1 ? 'issue waits for it' : 'issues wait for it'} />
            </span>
          </li>
        ))}
      </Rows>
    </Card>
  );
}

interface GraphListProps {
  graph: Graph;
  relations: Relations;
  focusId: string | null;
}

/** The same content as nested lists: around a focus what holds it up below it, otherwise each root with what waits. */
function GraphList({ graph, relations, focusId }: GraphListProps) {
  const focus = focusId === null ? undefined : relations.byId.get(focusId);
  const shown = new Set<string>();
  const roots = graph.nodes.filter(({ id }) => relations.blockersOf(id).length === 0);
  return (
    <Card title={focus ? `What ${focus.key} waits for, as a list` : 'The same as a list'}>
      <ul className={styles.tree}>
        {focus ? (
          <Branch node={focus} next={relations.blockersOf} shown={shown} />
        ) : (
          roots.map((root) => (
            <Branch key={root.id} node={root} next={relations.dependentsOf} shown={shown} />
          ))
        )}
      </ul>
    </Card>
  );
}

interface BranchProps {
  node: GraphNode;
  next: (id: string) => readonly GraphNode[];
  /** The issues that stand above already; their branches are not repeated. */
  shown: Set<string>;
}

function Branch({ node, next, shown }: BranchProps) {
  const repeated = shown.has(node.id);
  shown.add(node.id);
  const children = repeated ? [] : next(node.id);
  return (
    <li>
      <div className={styles.branch}>
        <StatusIcon status={node.status} />
        <span className={styles.key}>{node.key}</span>
        <Link to="/i/$key" params={{ key: node.key }} className={styles.title}>
          {node.title}
        </Link>
        {repeated && <span className="soft small">see above</span>}
        <span className={styles.end}>
          <Who party={node.assignee} />
        </span>
      </div>
      {children.length > 0 && (
        <ul>
          {children.map((child) => (
            <Branch key={child.id} node={child} next={next} shown={shown} />
          ))}
        </ul>
      )}
    </li>
  );
}
