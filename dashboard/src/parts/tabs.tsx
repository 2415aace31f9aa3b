import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useId, useRef } from 'react';
import { Count } from './status';
import styles from './tabs.module.css';

interface SegmentsProps<Value extends string> {
  label: string;
  /** Whether the label is for screen readers only, because the words stand beside the choice. */
  hideLabel?: boolean;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
}

/** A choice of few, all visible; it takes effect at once. */
export function Segments<Value extends string>({
  label,
  hideLabel = false,
  value,
  options,
  onChange,
}: SegmentsProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.field}>
      <legend className={hideLabel ? 'sr-only' : undefined}>{label}</legend>
      <div className={styles.segments}>
        {options.map(([option, words]) => (
          <label key={option}>
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChange(option)}
            />
            <span>{words}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export interface Tab {
  label: string;
  to: string;
  params?: Record<string, string>;
  /** Tabs of one path differ by it. */
  search?: object;
  /** Whether pages below it belong to the tab. */
  within?: boolean;
  count?: number | undefined;
}

/** Tabs that are pages of their own: each has an address, and the present one is marked for everyone. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const strip = useRef<HTMLElement>(null);
  const { href } = useLocation();
  // Counts that come later make the tabs before the present one wider.
  const widths = tabs.map(({ count }) => count ?? '').join(' ');
  // On a phone the tabs are wider than the screen; the present one is in sight all the same.
  useEffect(() => {
    const present = strip.current?.querySelector<HTMLElement>('[aria-current]');
    if (strip.current && present)
      strip.current.scrollLeft = present.offsetLeft + present.offsetWidth - strip.current.clientWidth;
  }, [href, widths]);
  return (
    <nav className={styles.tabs} aria-label={label} ref={strip}>
      {tabs.map((tab) => (
        <Link
          key={tab.label}
          to={tab.to}
          params={tab.params ?? {}}
          search={tab.search ?? {}}
          activeOptions={{ exact: !tab.within, includeSearch: tab.search !== undefined }}
        >
          {tab.label}
          {tab.count !== undefined && <Count value={tab.count} />}
        </Link>
      ))}
    </nav>
  );
}
