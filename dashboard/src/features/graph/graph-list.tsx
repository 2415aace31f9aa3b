import { Link } from '@tanstack/react-router';
import type { Graph, GraphNode } from '../../api/types';
import { Card } from '../../parts/card';
import { StatusIcon } from '../../parts/status';
import { Who } from '../../parts/who';
import styles from './graph.module.css';
import type { Relations } from './fold';

interface GraphListProps {
  graph: Graph;
  relations: Relations;
  focusId: string | null;
}

/** The same content as nested lists: around a focus what holds it up below it, otherwise each root with what waits. */
export function GraphList({ graph, relations, focusId }: GraphListProps) {
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
