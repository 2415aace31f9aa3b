import { Link } from '@tanstack/react-router';
import { Handle, Position, type NodeProps, type Node } from '@xyflow/react';
import type { GraphNode } from '../../api/types';
import { classes } from '../../parts/classes';
import { issueStatuses, StatusIcon } from '../../parts/status';
import type { Fold } from './fold';
import styles from './graph.module.css';

export type IssueNodeType = Node<
  {
    node: GraphNode;
    /** Whether it is the issue that the graph is about. */
    focus: boolean;
    /** Whether it holds up the focus. */
    holds: boolean;
    /** The one that Tab reaches; arrow keys lead to the others. */
    reachable: boolean;
  },
  'issue'
>;

/** An issue in the graph; a press opens it. */
export function IssueNode({ data: { node, focus, holds, reachable } }: NodeProps<IssueNodeType>) {
  return (
    <div className={classes(styles.node, focus && styles.focus, holds && styles.holds)}>
      <Handle type="target" position={Position.Left} isConnectable={false} className={styles.handle} />
      <Link
        to="/i/$key"
        params={{ key: node.key }}
        tabIndex={reachable ? 0 : -1}
        data-node={node.id}
        className={styles.open}
        draggable={false}
      >
        <span className={styles.top}>
          <StatusIcon status={node.status} />
          <span className={styles.key}>{node.key}</span>
          <span aria-hidden="true">{issueStatuses[node.status].word}</span>
        </span>
        <span className={styles.title}>{node.title}</span>
      </Link>
      <span className={styles.low}>
        {node.assignee?.name ?? 'Unassigned'}
        {node.hidden > 0 && <span> · {node.hidden} more not shown</span>}
      </span>
      <Handle type="source" position={Position.Right} isConnectable={false} className={styles.handle} />
    </div>
  );
}

export type FoldNodeType = Node<{ fold: Fold; onOpen: () => void }, 'fold'>;

/** Issues of a fan that are not drawn; a press draws those that were loaded. */
export function FoldNode({ data: { fold, onOpen } }: NodeProps<FoldNodeType>) {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={styles.handle} />
      <button type="button" className={styles.fold} onClick={onOpen}>
        +{fold.count} more {fold.side === 'waiting' ? 'wait for it' : 'block it'}
      </button>
      <Handle type="source" position={Position.Right} isConnectable={false} className={styles.handle} />
    </>
  );
}
