/** What a process says of its store of attachments to the other processes of its database. */
export interface StorePresence {
  /** The id of this process, made at its start. */
  process: string;
  /** The id of its store. */
  store: string;
  folder: string;
  host: string;
}

/** Returns what a process sent, or null for any other text: any user of the database may send one. */
export function presenceIn(payload: string): StorePresence | null {
  try {
    const { process, store, folder, host } = JSON.parse(payload) as Record<string, unknown>;
    const parts = [process, store, folder, host];
    if (!parts.every((part) => typeof part === 'string')) return null;
    const [from, id, path, name] = parts;
    return { process: from!, store: id!, folder: path!, host: name! };
  } catch {
    // No JSON, or no object.
    return null;
  }
}

/** Returns the warning for two processes that keep attachments in two places. */
export function warningOf(own: StorePresence, other: StorePresence): string {
  return `Attachments are kept in two places: this process keeps them in ${own.folder} on ${own.host}, and another one on this database in ${other.folder} on ${other.host}. Neither has the files of the other. Let both use one folder, such as a network disk mounted there, or set ATTACHMENT_STORE=s3.`;
}

/** Compares the store of this process with those of the others (contract §9.3). */
export class StoreComparison {
  private readonly heard = new Set<string>();
  private readonly warned = new Set<string>();

  constructor(private readonly own: StorePresence) {}

  /**
   * Takes note of what a process says.
   * @returns whether that process is new, so that it should hear of this one, and the warning that is due, once per store
   */
  hear(payload: string): { isNew: boolean; warning: string | null } {
    const other = presenceIn(payload);
    if (!other || other.process === this.own.process) return { isNew: false, warning: null };
    const isNew = !this.heard.has(other.process);
    this.heard.add(other.process);
    if (other.store === this.own.store || this.warned.has(other.store)) return { isNew, warning: null };
    this.warned.add(other.store);
    return { isNew, warning: warningOf(this.own, other) };
  }
}
