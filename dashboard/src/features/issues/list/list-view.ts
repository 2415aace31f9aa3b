import { queryOptions } from '@tanstack/react-query';
import { api, pageOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import type { View } from '../../../api/types';
import {
  filterIn,
  type Grouping,
  groupings,
  isFiltered,
  type IssueFilter,
  type Sort,
  sorts,
} from '../queries';

/** What a row can show beside the key and the title. */
export const columns = ['status', 'priority', 'labels', 'why', 'who', 'time'] as const;
export type Column = (typeof columns)[number];

/** What a list shows, and how; it lives in the address. */
export interface ListView {
  filter: IssueFilter;
  sort: Sort;
  group: Grouping | null;
  /** Whether sub-issues are rows like others, and not below their parents. */
  flat: boolean;
  hidden: readonly Column[];
  /** The id of the view that was opened, which what is shown may differ from by now. */
  view: string | null;
}

const [byChange] = sorts;

/** What an address shows; what none shows is left out. */
export function listViewIn(search: Record<string, unknown>): ListView {
  const hidden = typeof search['hide'] === 'string' ? search['hide'].split(',') : [];
  return {
    filter: filterIn(search),
    sort: sorts.find((sort) => sort === search['sort']) ?? byChange,
    group: groupings.find((group) => group === search['group']) ?? null,
    flat: search['flat'] === true || search['flat'] === 'true',
    hidden: columns.filter((column) => hidden.includes(column)),
    view: typeof search['view'] === 'string' ? search['view'] : null,
  };
}

/** The search of an address that shows this. */
export const searchOf = ({ filter, sort, group, flat, hidden, view }: ListView) => ({
  ...filter,
  sort: sort === byChange ? undefined : (sort as Sort),
  group: group ?? undefined,
  flat: flat || undefined,
  hide: hidden.length > 0 ? hidden.join() : undefined,
  view: view ?? undefined,
});

/** What is shown as the text that a view keeps: the same text for the same, whatever order it was chosen in. */
export function queryOf(shown: ListView): string {
  const entries = Object.entries(searchOf({ ...shown, view: null })).filter(
    ([, value]) => value !== undefined,
  );
  return new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
}

/** What a view keeps, under its id. */
export const shownBy = ({ id, query }: Pick<View, 'id' | 'query'>): ListView => ({
  ...listViewIn(Object.fromEntries(new URLSearchParams(query))),
  view: id,
});

/** Whether sub-issues stand below their parents: in a list of everything. What a filter finds may be a part alone. */
export const isNested = ({ filter, group, flat }: ListView): boolean =>
  !flat && group === null && !isFiltered(filter);

/** The views of a project that the person sees. */
export const viewsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.views, projectId],
    queryFn: async () =>
      (
        await pageOf(
          api.GET('/api/projects/{projectId}/views', {
            params: { path: { projectId }, query: { limit: 1_000 } },
          }),
        )
      ).rows,
  });
