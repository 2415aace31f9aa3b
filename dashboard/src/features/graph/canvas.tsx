import '@xyflow/react/dist/base.css';
import { Controls, MarkerType, MiniMap, ReactFlow, type Edge } from '@xyflow/react';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { Graph } from '../../api/types';
import { foldFans, type Folded } from './fold';
import { FoldNode, IssueNode, type FoldNodeType, type IssueNodeType } from './issue-node';
import styles from './graph.module.css';
import { FOLD, NODE, positionsOf } from './layout';
import { holdersOf, relationsOf, type Relations } from './relations';
import { walk } from './walk';

const nodeTypes = { issue: IssueNode, fold: FoldNode };

/** A graph of fewer boxes is seen whole. */
const MAPPED = 12;

/** Arrows in the colours of their lines. Their size grows with the width of the line. */
const BLOCKING = { type: MarkerType.ArrowClosed, color: 'var(--border-control)' };
const HOLDING = { type: MarkerType.ArrowClosed, color: 'var(--waiting-ink)', width: 7, height: 7 };

interface CanvasProps {
  graph: Graph;
  /** The id of the issue that the graph is about. */
  focusId: string | null;
}

/** The drawn graph: one stop for Tab, in which arrow keys walk along the lines. */
export function Canvas({ graph, focusId }: CanvasProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const drawn = useMemo(() => foldFans(graph, focusId, opened), [graph, focusId, opened]);
  const relations = useMemo(() => relationsOf({ ...graph, nodes: drawn.nodes }), [graph, drawn]);
  const positions = useMemo(() => positionsOf(drawn), [drawn]);
  const holders = useMemo(
    () => (focusId === null ? new Set<string>() : holdersOf(relations, focusId)),
    [relations, focusId],
  );
  const [reached, setReached] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const reachable = reached !== null && positions.has(reached) ? reached : (focusId ?? graph.nodes[0]?.id);
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
    data: { node, focus: node.id === focusId, holds: holders.has(node.id), reachable: node.id === reachable },
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
        edges={edgesOf(drawn, holders)}
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
        fitViewOptions={{ maxZoom: 1, minZoom: 0.5, nodes: firstSeen(drawn, relations, focusId) }}
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
 * What is seen first: the focus, otherwise the issue that comes first because it holds up most, with its neighbours. The middle
 * of a whole graph may be a place where nothing stands.
 */
function firstSeen({ nodes, folds }: Folded, relations: Relations, focusId: string | null): { id: string }[] {
  const id = focusId ?? nodes[0]?.id;
  if (id === undefined) return [];
  const around = [...relations.blockersOf(id), ...relations.dependentsOf(id)].map((node) => node.id);
  return [id, ...around, ...folds.filter(({ hub }) => hub === id).map((fold) => fold.id)].map((one) => ({
    id: one,
  }));
}

/** Blocking links have an arrow to what waits; those that hold up the focus are thick; other links are dashed. */
function edgesOf({ edges }: Folded, holders: ReadonlySet<string>): Edge[] {
  return edges.map(({ id, source, target, linkType }) => {
    const blocks = linkType === 'Blocks';
    const thick = blocks && holders.has(source) && holders.has(target);
    return {
      id,
      source,
      target,
      className: (thick ? styles.thick : blocks ? styles.line : styles.dashed)!,
      ...(blocks ? { markerEnd: thick ? HOLDING : BLOCKING } : {}),
    };
  });
}
