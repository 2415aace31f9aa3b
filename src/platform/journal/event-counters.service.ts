import { Injectable } from '@nestjs/common';

/** Counts the journal rows of each type that this process has committed since its start. */
@Injectable()
export class EventCountersService {
  readonly counts = new Map<string, number>();

  add(types: string[]): void {
    for (const type of types) this.counts.set(type, (this.counts.get(type) ?? 0) + 1);
  }
}
