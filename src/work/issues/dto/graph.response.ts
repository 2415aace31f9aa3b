import { ApiProperty } from '@nestjs/swagger';
import type { Principal } from '../../../platform/auth/principal.js';
import type { Graph } from '../graph/graph.service.js';
import type { StoredLinkType } from '../links/links.repository.js';
import { ExplainedIssueResponse, IssueSummaryResponse } from './issue.response.js';
import { WhyResponse } from './why.response.js';

/** An issue of the graph. */
export class GraphNodeResponse extends ExplainedIssueResponse {
  @ApiProperty({
    type: 'integer',
    description: 'How many issues that block it, or that it blocks, are not in the response.',
  })
  hidden!: number;
}

/** A link between two issues of the response. */
export class GraphEdgeResponse {
  id!: string;
  /** The issue that blocks, for Blocks. */
  source!: string;
  target!: string;
  @ApiProperty({ enum: ['Blocks', 'RelatedTo', 'DuplicateOf'] })
  linkType!: StoredLinkType;
}

/** A part of the graph of what blocks what. */
export class GraphResponse {
  @ApiProperty({ type: [GraphNodeResponse] })
  nodes!: GraphNodeResponse[];
  @ApiProperty({ type: [GraphEdgeResponse] })
  edges!: GraphEdgeResponse[];
  @ApiProperty({ description: 'Whether a limit left out issues or links.' })
  truncated!: boolean;

  static from({ nodes, edges, truncated }: Graph, caller: Principal): GraphResponse {
    return {
      nodes: nodes.map(({ row, why, hidden }) => ({
        ...IssueSummaryResponse.from(row, caller),
        why: WhyResponse.from(why),
        hidden,
      })),
      edges: edges.map(({ id, source, target, linkType }) => ({ id, source, target, linkType })),
      truncated,
    };
  }
}
