import { Fragment, useEffect, useRef, type ReactNode } from 'react';
import type { Option } from './chooser-option';
import styles from './chooser.module.css';
import { Icon } from './icon';

interface ChooserListProps {
  id: string;
  label: string;
  options: readonly Option[];
  none: ReactNode;
  pointed: number;
  onPoint: (index: number) => void;
  onChoose: (option: Option) => void;
}

/** The options of a chooser; the field above it keeps the focus. */
export function ChooserList({ id, label, options, none, pointed, onPoint, onChoose }: ChooserListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [pointed, options.length]);
  if (options.length === 0)
    return (
      <p className={styles.none} role="status">
        {none}
      </p>
    );
  return (
    <div className={styles.list} id={id} role="listbox" aria-label={label} ref={list}>
      {options.map((option, index) => (
        <Fragment key={option.id}>
          {option.group !== undefined && option.group !== options[index - 1]?.group && (
            <div className={styles.group} role="presentation">
              {option.group}
            </div>
          )}
          <div
            id={`${id}-${option.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === pointed}
            className={styles.option}
            onMouseMove={() => index !== pointed && onPoint(index)}
            onClick={() => onChoose(option)}
          >
            <Icon name={option.icon} />
            <span>{option.label}</span>
            {option.chosen && (
              <>
                <Icon name="check" small />
                <span className="sr-only">present choice</span>
              </>
            )}
            {option.end}
          </div>
        </Fragment>
      ))}
    </div>
  );
}
