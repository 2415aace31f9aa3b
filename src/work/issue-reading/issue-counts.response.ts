import { ApiProperty } from '@nestjs/swagger';
import { type Status, statuses } from '../issue-status/issue-status.js';

const issues = (description?: string) =>
  ApiProperty({ type: 'integer', ...(description && { description }) });

/** What the issues in WaitingOnDependency wait for. */
export class WaitingCountsResponse {
  @issues('Those that wait for other issues alone.')
  onWork!: number;
  @issues('Those that wait for a decision or answer of a person.')
  onPerson!: number;
}

/** How many issues a project has in each status. */
export class IssueCountsResponse implements Record<Status, number> {
  @issues()
  Open!: number;
  @issues()
  InProgress!: number;
  @issues()
  WaitingOnDependency!: number;
  @issues()
  PendingReview!: number;
  @issues()
  Resolved!: number;
  @issues()
  Closed!: number;
  waiting!: WaitingCountsResponse;

  static from(found: { status: Status; issues: number }[], onPerson: number): IssueCountsResponse {
    const none = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
    const counts = { ...none, ...Object.fromEntries(found.map((row) => [row.status, row.issues])) };
    const onWork = Math.max(0, counts.WaitingOnDependency - onPerson);
    return { ...counts, waiting: { onWork, onPerson } };
  }
}
