import type { ReactNode } from 'react';
import type { IconName } from './icon';
import type { Tone } from './status';

export interface Option {
  id: string;
  label: string;
  /** The label as it is shown, where parts of it stand out. */
  shown?: ReactNode;
  icon: IconName;
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
