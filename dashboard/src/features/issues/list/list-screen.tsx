import type { ReactNode } from 'react';
import { Button } from '../../../parts/button';
import { sayNumber } from '../../../parts/count';
import { Menu, MenuButton, Several } from '../../../parts/menu';
import { Empty, ProblemNotice, Skeleton } from '../../../parts/notice';
import { hasRole, useMe } from '../../../session/me';
import { IssueFilters } from '../filters/issue-filters';
import {
  filterIn,
  type Grouping,
  groupings,
  type IssueFilter,
  isFiltered,
  type Sort,
  sorts,
} from '../queries';
import { BulkBar } from './bulk-bar';
import { type Column, columns, isNested, type ListView } from './list-view';
import { Grouped, type Loaded, Plain } from './loaded';
import { Rows } from './rows';
import { type Selection, useSelection } from './selection';
import { Views } from './views';

interface ListScreenProps {
  project: string;
  view: ListView;
  onView: (view: ListView) => void;
}

/** The issues of a project as a table: narrowed by filters, in an order, in groups; several are changed at once. */
export function ListScreen({ project, view, onView }: ListScreenProps) {
  const editable = hasRole(useMe(), 'Editor');
  const selection = useSelection(editable);
  const { filter, sort, group } = view;
  const nested = isNested(view);
  const shown = nested ? { ...filter, parentId: 'none' } : filter;
  const of = { project, filter: shown, sort };
  const open = (next: ListView) => {
    selection?.clear();
    onView(next);
  };
  const narrow = (next: IssueFilter) => {
    // What is not on the list any more is not changed with the rest of it.
    selection?.clear();
    onView({ ...view, filter: next });
  };
  const body = (rows: Loaded) => (
    <ListBody
      {...rows}
      project={project}
      view={view}
      shown={shown}
      selection={selection}
      filters={(end) => (
        <IssueFilters project={project} filter={filter} onFilter={narrow} whole end={end}>
          <ViewMenus view={view} onView={onView} />
          <Views project={project} shown={view} onView={open} />
        </IssueFilters>
      )}
      onSort={(next) => onView({ ...view, sort: next })}
      onClear={() => narrow(filterIn({}))}
    />
  );
  if (group !== null)
    return (
      <Grouped key={group} {...of} by={group}>
        {body}
      </Grouped>
    );
  return (
    <Plain {...of} nested={nested}>
      {body}
    </Plain>
  );
}

interface ListBodyProps extends Loaded {
  project: string;
  view: ListView;
  /** The filter of the rows: the top level alone where the parts of issues stand below them. */
  shown: IssueFilter;
  selection: Selection | null;
  filters: (end: ReactNode) => ReactNode;
  onSort: (sort: Sort) => void;
  onClear: () => void;
}

function ListBody({
  project,
  view: { filter, sort, hidden },
  shown,
  selection,
  filters,
  onSort,
  onClear,
  items,
  issues,
  total,
  capped,
  isPending,
  error,
  onRetry,
  onEnd,
  onToggle,
}: ListBodyProps) {
  const isTree = items.some((item) => item.kind === 'issue' && item.branch !== undefined);
  return (
    <>
      {filters(
        total !== null &&
          `${sayNumber(total)}${capped ? '+' : ''} ${total === 1 ? 'issue' : 'issues'}${isTree ? ' on the top level' : ''}`,
      )}
      {error !== null && <ProblemNotice title="The list cannot be shown" error={error} onRetry={onRetry} />}
      {isPending && <Skeleton rows={6} label="Loading issues" />}
      {total === 0 && (isFiltered(filter) ? <NothingMatches onClear={onClear} /> : <NoIssues />)}
      {items.length > 0 && <Rows {...{ hidden, items, issues, selection, sort, onSort, onEnd, onToggle }} />}
      {selection !== null && selection.chosen.size > 0 && (
        <BulkBar
          project={project}
          filter={shown}
          sort={sort}
          rows={issues}
          total={total}
          selection={selection}
        />
      )}
    </>
  );
}

const sortWords: Record<Sort, string> = {
  '-updatedAt': 'last changed',
  updatedAt: 'longest unchanged',
  '-createdAt': 'newest',
  createdAt: 'oldest',
  '-priority': 'most urgent',
  priority: 'least urgent',
  status: 'status',
  '-status': 'status, finished first',
};
const groupWords: Record<Grouping, string> = {
  status: 'status',
  agent: 'agent',
  goal: 'goal',
  label: 'label',
  parent: 'parent',
  blocker: 'what it waits for',
};
const columnWords: Record<Column, string> = {
  status: 'Status',
  priority: 'Priority',
  labels: 'Labels',
  why: 'Why',
  who: 'Assignee',
  time: 'Time',
};
const BELOW = 'below';
const capital = (word: string): string => `${word[0]!.toUpperCase()}${word.slice(1)}`;

/** The order, the groups and the columns of the list; the heads of the columns give an order too, where there is room for them. */
function ViewMenus({ view, onView }: Pick<ListScreenProps, 'view' | 'onView'>) {
  const { sort, group, flat, hidden } = view;
  const shown = columns.filter((column) => !hidden.includes(column));
  return (
    <>
      <Menu
        label="Order"
        trigger={<MenuButton>{sort === sorts[0] ? 'Order' : `Order: ${sortWords[sort]}`}</MenuButton>}
        items={sorts.map((one) => ({
          id: one,
          label: capital(sortWords[one]),
          chosen: one === sort,
          onSelect: () => onView({ ...view, sort: one }),
        }))}
      />
      <Menu
        label="Group"
        trigger={<MenuButton>{group === null ? 'Group' : `Group: ${groupWords[group]}`}</MenuButton>}
        items={[null, ...groupings].map((one) => ({
          id: one ?? 'none',
          label: one === null ? 'No groups' : capital(groupWords[one]),
          chosen: one === group,
          onSelect: () => onView({ ...view, group: one }),
        }))}
      />
      <Several
        label="What rows show"
        button="Show"
        values={flat ? shown : [...shown, BELOW]}
        options={[
          ...columns.map((column) => [column, columnWords[column]] as const),
          [BELOW, 'Sub-issues below their parents'],
        ]}
        onChange={(values) =>
          onView({
            ...view,
            flat: !values.includes(BELOW),
            hidden: columns.filter((column) => !values.includes(column)),
          })
        }
      />
    </>
  );
}

function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <Empty
      icon="filter"
      title="Nothing matches"
      actions={<Button onClick={onClear}>Clear the filter</Button>}
    >
      No issue of this project matches the filter.
    </Empty>
  );
}

function NoIssues() {
  return (
    <Empty icon="board" title="No issues yet">
      An issue is one piece of work. Create one and assign it to an agent, which picks it up on its next
      heartbeat.
    </Empty>
  );
}
