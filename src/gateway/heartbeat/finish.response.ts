import { ApiProperty } from '@nestjs/swagger';
import { IssueSummaryResponse } from '../../work/issue-reading/issue.response.js';

/** What a finish or a release did. The same request again returns the same response. */
export class FinishResponse {
  @ApiProperty({ type: IssueSummaryResponse, description: 'The issue right after the finish.' })
  issue!: IssueSummaryResponse;
  /** The comment that was written with it. */
  commentId!: string | null;
  attachmentIds!: string[];
}
