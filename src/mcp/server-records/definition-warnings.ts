import { cutToBytes } from '../../platform/http/text-rules.js';
import { storableText } from './server-text.js';

/** What an Admin should know about something that a server lists. */
export interface DefinitionWarning {
  /** The name or URI of what is concerned, or the place of an entry without one, such as `tools[3]`. */
  subject: string;
  message: string;
}

/** Each verification is stored with its warnings. */
const MOST_WARNINGS = 100;
const LONGEST_BYTES = 500;

/** Collects warnings, the first ones whole and the number of the others. */
export class WarningList {
  private readonly warnings: DefinitionWarning[] = [];
  private more = 0;

  add(subject: string, message: string): void {
    if (this.warnings.length >= MOST_WARNINGS) this.more += 1;
    else this.warnings.push({ subject: short(subject), message: short(message) });
  }

  all(): DefinitionWarning[] {
    if (this.more === 0) return this.warnings;
    return [...this.warnings, { subject: '…', message: `There are ${this.more} further warnings.` }];
  }
}

const short = (text: string): string => cutToBytes(storableText(text), LONGEST_BYTES);
