import type { CatalogEntry } from '../../api/types';
import { useFilterField } from '../../keyboard/use-actions';
import { Button } from '../../parts/button';
import { inputClass } from '../../parts/field';
import { FilterBar } from '../../parts/page';
import styles from './catalog.module.css';
import { categories, countsOf, filtered, type CatalogFilter } from './filter';

interface CatalogFiltersProps {
  entries: readonly CatalogEntry[];
  filter: CatalogFilter;
  onFilter: (filter: CatalogFilter) => void;
}

/** Search, categories with their counts, and whether to leave out what cannot be installed here. */
export function CatalogFilters({ entries, filter, onFilter }: CatalogFiltersProps) {
  const set = (part: CatalogFilter) => onFilter({ ...filter, ...part });
  const field = useFilterField('Search the catalogue');
  const counts = countsOf(entries, filter);
  const all = filtered(entries, { ...filter, category: undefined }).length;
  return (
    <FilterBar
      end={
        <label className={styles.only}>
          <input
            type="checkbox"
            checked={filter.here ?? false}
            onChange={(event) => set({ here: event.target.checked || undefined })}
          />
          Only what can be installed here
        </label>
      }
    >
      <input
        className={`${inputClass} ${styles.find}`}
        type="search"
        {...field}
        aria-label="Search the catalogue"
        placeholder="Search the catalogue"
        defaultValue={filter.q ?? ''}
        onChange={(event) => set({ q: event.target.value || undefined })}
      />
      <div className={styles.categories} role="group" aria-label="Category">
        <Category
          label={`All ${all}`}
          chosen={filter.category === undefined}
          onChoose={() => set({ category: undefined })}
        />
        {(Object.keys(categories) as CatalogEntry['category'][]).map((category) => (
          <Category
            key={category}
            label={`${categories[category]} ${counts.get(category) ?? 0}`}
            chosen={filter.category === category}
            onChoose={() => set({ category })}
          />
        ))}
      </div>
    </FilterBar>
  );
}

function Category({ label, chosen, onChoose }: { label: string; chosen: boolean; onChoose: () => void }) {
  return (
    <Button small aria-pressed={chosen} className={chosen ? styles.chosen : undefined} onClick={onChoose}>
      {label}
    </Button>
  );
}
