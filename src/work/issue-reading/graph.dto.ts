import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Max, Min } from 'class-validator';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { MayBeAbsent, toBoolean, toWholeNumber } from '../../platform/http/validation.pipe.js';
import { type EdgeType, edgeTypes, type Graph } from './graph.service.js';
import { ExplainedIssueResponse, IssueSummaryResponse, WhyResponse } from './issue.response.js';

export class GraphQuery {
  /**
   * Id or key of the issue in the middle. Without it the issues come first that most others wait for.
   * @example DOCS-12
   */
  @MayBeAbsent()
  @IsString()
  focus?: string;

  /** How many links from the focus. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 6, default: 2, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(6)
  depth: number = 2;

  /** The most issues. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 500, default: 200, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(500)
  limit: number = 200;

  /** true shows finished issues too. */
  @ApiProperty({ type: 'boolean', default: false, required: false })
  @Transform(toBoolean)
  @IsBoolean()
  done: boolean = false;
}

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
  /** The issue that blocks, for Blocks; the sub-issue that its parent waits for, for Child. */
  source!: string;
  target!: string;
  @ApiProperty({ enum: edgeTypes })
  linkType!: EdgeType;
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
      nodes: nodes.map(({ row, why, code, hidden }) =>
        Object.assign(IssueSummaryResponse.from(row, caller), { why: WhyResponse.from(why), code, hidden }),
      ),
      edges: edges.map(({ id, source, target, linkType }) => ({ id, source, target, linkType })),
      truncated,
    };
  }
}
