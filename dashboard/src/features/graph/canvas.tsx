import '@xyflow/react/dist/base.css';
import { Controls, MarkerType, ReactFlow, type Edge } from '@xyflow/react';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { Graph } from '../../api/types';
import { IssueNode, type IssueNodeType } from './issue-node';
import styles from './graph.module.css';
import { NODE, positionsOf } from './layout';
import { holdersOf, relationsOf } from './relations';
import { walk } from './walk';

const nodeTypes = { issue: IssueNode };

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
  const relations = useMemo(() => relationsOf(graph), [graph]);
  const positions = useMemo(() => positionsOf(graph), [graph]);
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
  const nodes = graph.nodes.map((node): IssueNodeType => ({
    id: node.id,
    type: 'issue',
    position: positions.get(node.id) ?? { x: 0, y: 0 },
    ...NODE,
    data: { node, focus: node.id === focusId, holds: holders.has(node.id), reachable: node.id === reachable },
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
        nodes={nodes}
        edges={edgesOf(graph, holders)}
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
        fitViewOptions={{ maxZoom: 1, minZoom: 0.6 }}
        minZoom={0.3}
        maxZoom={1.5}
        proOptions={{ hideAttribution: true }}
      >
        <Controls showInteractive={false} className={styles.controls!} />
      </ReactFlow>
    </div>
  );
}

/** Blocking links have an arrow to what waits; those that hold up the focus are thick; other links are dashed. */
function edgesOf({ edges }: Graph, holders: ReadonlySet<string>): Edge[] {
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
