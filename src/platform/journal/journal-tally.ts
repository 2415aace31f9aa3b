import { Injectable } from '@nestjs/common';

/** How many rows of each type this process has committed since its start. */
@Injectable()
export class JournalTally {
  readonly counts = new Map<string, number>();

  add(types: string[]): void {
    for (const type of types) this.counts.set(type, (this.counts.get(type) ?? 0) + 1);
  }
}
