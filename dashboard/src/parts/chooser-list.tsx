import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './chooser.module.css';
import { Icon, type IconName } from './icon';
import { Ink, type Tone } from './status';

export interface Option {
  id: string;
  label: string;
  /** The label as it is shown, where parts of it stand out. */
  shown?: ReactNode;
  icon: IconName;
  /** What stands in the place of the icon. */
  sign?: ReactNode;
  /** Colours the icon, where the icon is that of a state. */
  tone?: Tone;
  /** A short name before the label, such as the key of an issue. */
  code?: string;
  /** The heading above it; options of one heading stand together. */
  group?: string | undefined;
  /** What stands at its end: a second line, key caps. */
  end?: ReactNode;
  /** Marks the present value. */
  chosen?: boolean;
}

/** The options whose label has every word that was typed. */
export function matching(options: readonly Option[], query: string): readonly Option[] {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  return options.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

interface ChooserListProps {
  id: string;
  label: string;
  options: readonly Option[];
  pointed: string | undefined;
  onPoint: (id: string) => void;
  onChoose: (option: Option) => void;
}

/** The element of an option, which the field above the list names while it is pointed at. */
export const elementOf = (list: string, option: string): string => `${list}-${option}`;

/** The options of a chooser, under their headings; the field above it keeps the focus. */
export function ChooserList({ id, label, options, pointed, onPoint, onChoose }: ChooserListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current?.querySelector('[aria-selected="true"]');
    // The heading above the first option comes into view with it.
    const isFirst = element?.previousElementSibling?.previousElementSibling === null;
    (isFirst ? element.parentElement : element)?.scrollIntoView({ block: 'nearest' });
  }, [pointed, options]);
  const shown = (option: Option) => (
    <OptionRow
      key={option.id}
      id={elementOf(id, option.id)}
      option={option}
      selected={option.id === pointed}
      onPoint={onPoint}
      onChoose={onChoose}
    />
  );
  return (
    <div className={styles.list} id={id} role="listbox" aria-label={label} ref={list}>
      {groupsOf(options).map(({ group, members }) =>
        group === undefined ? (
          members.map(shown)
        ) : (
          <Group key={group} name={group}>
            {members.map(shown)}
          </Group>
        ),
      )}
    </div>
  );
}

function Group({ name, children }: { name: string; children: React.ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <div className={styles.group} id={id} role="presentation">
        {name}
      </div>
      {children}
    </div>
  );
}

interface OptionRowProps {
  id: string;
  option: Option;
  selected: boolean;
  onPoint: (id: string) => void;
  onChoose: (option: Option) => void;
}

function OptionRow({ id, option, selected, onPoint, onChoose }: OptionRowProps) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      className={styles.option}
      // Rows that arrive under a pointer that rests do not take the choice away from the keyboard.
      onMouseMove={() => !selected && onPoint(option.id)}
      onClick={() => onChoose(option)}
    >
      {option.sign ??
        (option.tone ? <Ink tone={option.tone} icon={option.icon} large /> : <Icon name={option.icon} />)}
      <span className={styles.label}>
        {option.code !== undefined && <span className={styles.code}>{option.code} </span>}
        <span className={styles.words}>{option.shown ?? option.label}</span>
      </span>
      {option.chosen && (
        <>
          <Icon name="check" small />
          <span className="sr-only">present choice</span>
        </>
      )}
      {option.end}
    </div>
  );
}

/** Options that follow each other under one heading. */
function groupsOf(options: readonly Option[]) {
  const groups: { group: string | undefined; members: Option[] }[] = [];
  for (const option of options) {
    const last = groups.at(-1);
    if (last && last.group === option.group) last.members.push(option);
    else groups.push({ group: option.group, members: [option] });
  }
  return groups;
}
