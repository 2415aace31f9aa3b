import { Graph as Dagre, layout } from '@dagrejs/dagre';
import { Link } from '@tanstack/react-router';
import {
  Controls,
  type Edge,
  Handle,
  MarkerType,
  MiniMap,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { Graph, GraphNode } from '../../api/types';
import { classes } from '../../parts/classes';
import { sayNumber } from '../../parts/count';
import { issueStatuses, StatusIcon } from '../../parts/status';
import {
  type Fold,
  type Folded,
  foldFans,
  holdersOf,
  mostWaitedFor,
  type Relations,
  relationsOf,
  isBlocking,
} from './fold';
import styles from './graph.module.css';

type IssueNodeType = Node<
  {
    node: GraphNode;
    /** Whether it is the issue that the graph is about. */
    focus: boolean;
    /** Whether it holds up the focus. */
    holds: boolean;
    /** The one that Tab reaches; arrow keys lead to the others. */
    reachable: boolean;
    /** In place of the issue's page, for one that is not there yet. */
    onOpen: ((id: string) => void) | undefined;
  },
  'issue'
>;

/** An issue in the graph; a press opens it. */
function IssueNode({ data: { node, focus, holds, reachable, onOpen } }: NodeProps<IssueNodeType>) {
  const inside = (
    <>
      <span className={styles.top}>
        <StatusIcon status={node.status} />
        <span className={styles.key}>{node.key}</span>
        <span aria-hidden="true">{issueStatuses[node.status].word}</span>
      </span>
      <span className={styles.title}>{node.title}</span>
    </>
  );
  const opening = { tabIndex: reachable ? 0 : -1, 'data-node': node.id, className: styles.open };
  return (
    <div className={classes(styles.node, focus && styles.focus, holds && styles.holds)}>
      <Handle type="target" position={Position.Left} isConnectable={false} className={styles.handle} />
      {onOpen ? (
        <button type="button" {...opening} onClick={() => onOpen(node.id)}>
          {inside}
        </button>
      ) : (
        <Link to="/i/$key" params={{ key: node.key }} {...opening} draggable={false}>
          {inside}
        </Link>
      )}
      <span className={styles.low}>
        {node.assignee?.name ?? 'Unassigned'}
        {node.hidden > 0 && <span> · {sayNumber(node.hidden)} more not shown</span>}
      </span>
      <Handle type="source" position={Position.Right} isConnectable={false} className={styles.handle} />
    </div>
  );
}

type FoldNodeType = Node<{ fold: Fold; onOpen: () => void }, 'fold'>;

/** Issues of a fan that are not drawn; a press draws those that were loaded. */
function FoldNode({ data: { fold, onOpen } }: NodeProps<FoldNodeType>) {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={styles.handle} />
      <button type="button" className={styles.fold} onClick={onOpen}>
        +{sayNumber(fold.count)} more {fold.side === 'waiting' ? 'wait for it' : 'block it'}
      </button>
      <Handle type="source" position={Position.Right} isConnectable={false} className={styles.handle} />
    </>
  );
}

const NODE = { width: 224, height: 92 } as const;
const FOLD = { width: 224, height: 40 } as const;

/** Where each issue and each fold stands: what blocks at the left, what waits at the right. */
function positionsOf({ nodes, folds, edges }: Folded): Map<string, { x: number; y: number }> {
  const graph = new Dagre();
  graph.setGraph({ rankdir: 'LR', nodesep: 20, ranksep: 64, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  const sizes = new Map<string, { width: number; height: number }>([
    ...nodes.map(({ id }) => [id, NODE] as const),
    ...folds.map(({ id }) => [id, FOLD] as const),
  ]);
  for (const [id, size] of sizes) graph.setNode(id, { ...size });
  // Only blocking gives an order; other links would pull issues to where they do not belong.
  for (const edge of edges) {
    const { source, target } = edge;
    if (isBlocking(edge) && sizes.has(source) && sizes.has(target)) graph.setEdge(source, target);
  }
  layout(graph);
  return new Map(
    [...sizes].map(([id, { width, height }]) => {
      const { x, y } = graph.node(id) as { x: number; y: number };
      return [id, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
}

type Positions = ReadonlyMap<string, { x: number; y: number }>;

/** Where an arrow key leads from an issue: along the links to the sides, to the next in the column up and down. */
function walk(key: string, from: string, relations: Relations, positions: Positions): string | null {
  const here = positions.get(from);
  if (here === undefined) return null;
  const nearest = (ids: readonly string[]): string | null =>
    ids.toSorted((a, b) => distance(positions, a, here.y) - distance(positions, b, here.y))[0] ?? null;
  const column = [...positions].filter(([id, { x }]) => id !== from && x === here.x);
  switch (key) {
    case 'ArrowLeft':
      return nearest(relations.blockersOf(from).map(({ id }) => id));
    case 'ArrowRight':
      return nearest(relations.dependentsOf(from).map(({ id }) => id));
    case 'ArrowUp':
      return nearest(column.filter(([, { y }]) => y < here.y).map(([id]) => id));
    case 'ArrowDown':
      return nearest(column.filter(([, { y }]) => y > here.y).map(([id]) => id));
    default:
      return null;
  }
}

const distance = (positions: Positions, id: string, y: number): number => Math.abs(positions.get(id)!.y - y);

const nodeTypes = { issue: IssueNode, fold: FoldNode };

/** A graph of fewer boxes is seen whole, unless it is so wide around its focus that they could not be read. */
const MAPPED = 12;
const WIDEST_PX = 1_400;

const widthOf = (positions: Positions): number => {
  const lefts = [...positions.values()].map(({ x }) => x);
  return Math.max(...lefts) - Math.min(...lefts) + NODE.width;
};

/** Arrows in the colours of their lines. Their size grows with the width of the line. */
const BLOCKING = { type: MarkerType.ArrowClosed, color: 'var(--border-control)' };
const HOLDING = { type: MarkerType.ArrowClosed, color: 'var(--waiting-ink)', width: 7, height: 7 };

interface CanvasProps {
  graph: Graph;
  /** The id of the issue that the graph is about. */
  focusId: string | null;
  /** Issues each of which holds the next: they are marked in place of those that hold up the focus. */
  chain?: readonly string[];
  /** What a press on an issue does, where it does not lead to the issue's page. */
  onOpen?: (id: string) => void;
}

/** The drawn graph: one stop for Tab, in which arrow keys walk along the lines. */
export function Canvas({ graph, focusId, chain, onOpen }: CanvasProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const drawn = useMemo(() => foldFans(graph, focusId, opened), [graph, focusId, opened]);
  const relations = useMemo(() => relationsOf({ ...graph, nodes: drawn.nodes }), [graph, drawn]);
  const positions = useMemo(() => positionsOf(drawn), [drawn]);
  const holders = useMemo(
    () => (focusId === null ? new Set<string>(chain) : holdersOf(relations, focusId)),
    [relations, focusId, chain],
  );
  const [reached, setReached] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const reachable = reached !== null && positions.has(reached) ? reached : (focusId ?? graph.nodes[0]?.id);
  const isSeenWhole = positions.size <= MAPPED && (chain !== undefined || widthOf(positions) <= WIDEST_PX);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const from = (event.target as HTMLElement).dataset['node'];
    const to = from === undefined ? null : walk(event.key, from, relations, positions);
    if (to === null) return;
    event.preventDefault();
    setReached(to);
    box.current?.querySelector<HTMLElement>(`[data-node="${to}"]`)?.focus();
  };
  const issues = drawn.nodes.map((node): IssueNodeType => ({
    id: node.id,
    type: 'issue',
    position: positions.get(node.id) ?? { x: 0, y: 0 },
    ...NODE,
    data: {
      node,
      focus: node.id === focusId,
      holds: holders.has(node.id),
      reachable: node.id === reachable,
      onOpen,
    },
  }));
  const folds = drawn.folds.map((fold): FoldNodeType => ({
    id: fold.id,
    type: 'fold',
    position: positions.get(fold.id) ?? { x: 0, y: 0 },
    ...FOLD,
    data: { fold, onOpen: () => setOpened(new Set([...opened, fold.id])) },
  }));
  return (
    <div
      className={styles.canvas}
      ref={box}
      onKeyDown={onKeyDown}
      role="region"
      aria-label="Graph; arrow keys walk along the lines"
    >
      <ReactFlow
        nodes={[...issues, ...folds]}
        edges={edgesOf(drawn, holders, chain)}
        nodeTypes={nodeTypes}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        deleteKeyCode={null}
        zoomOnScroll={false}
        panOnScroll={false}
        preventScrolling={false}
        fitView
        fitViewOptions={{
          maxZoom: 1,
          minZoom: 0.5,
          ...(isSeenWhole ? {} : { nodes: firstSeen(drawn, relations, focusId) }),
        }}
        minZoom={0.1}
        maxZoom={1.5}
        proOptions={{ hideAttribution: true }}
      >
        <Controls showInteractive={false} fitViewOptions={{ maxZoom: 1 }} className={styles.controls!} />
        {issues.length + folds.length > MAPPED && (
          <MiniMap pannable zoomable ariaLabel="The whole graph" className={styles.map!} />
        )}
      </ReactFlow>
    </div>
  );
}

/**
 * What is seen first: the focus, otherwise the issue for which most wait, with its neighbours. The middle of a whole graph
 * may be a place where nothing stands.
 */
function firstSeen({ nodes, folds }: Folded, relations: Relations, focusId: string | null): { id: string }[] {
  const id = focusId ?? mostWaitedFor(nodes, relations)?.id;
  if (id === undefined) return [];
  const around = [...relations.blockersOf(id), ...relations.dependentsOf(id)].map((node) => node.id);
  return [id, ...around, ...folds.filter(({ hub }) => hub === id).map((fold) => fold.id)].map((one) => ({
    id: one,
  }));
}

/** Blocking links have an arrow to what waits; those that hold up the focus are thick; other links are dashed. */
function edgesOf({ edges }: Folded, holders: ReadonlySet<string>, chain?: readonly string[]): Edge[] {
  const next = chain && new Map(chain.map((id, at) => [id, chain[at + 1]]));
  return edges.map((edge) => {
    const { id, source, target } = edge;
    const blocks = isBlocking(edge);
    const thick = blocks && (next ? next.get(source) === target : holders.has(source) && holders.has(target));
    return {
      id,
      source,
      target,
      className: (thick ? styles.thick : blocks ? styles.line : styles.dashed)!,
      ...(blocks ? { markerEnd: thick ? HOLDING : BLOCKING } : {}),
    };
  });
}
