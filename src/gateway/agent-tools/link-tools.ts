import { linkTypes } from '../../work/issues/issue-row.js';
import { issueId, taking, WRITES, type ToolDefinition } from './tool-schemas.js';

/** The tools that make and remove links between issues. */
export const linkTools = {
  link_issues: {
    title: 'Link two issues',
    description:
      'Links two issues. With BlockedBy, issueId waits until targetIssueId is finished. Blocks is the reverse. ' +
      'A blocked issue that is not finished waits at once. Returns {link}.',
    inputSchema: taking(
      {
        issueId,
        targetIssueId: { type: 'string', description: 'Id or key of the other issue.' },
        linkType: { type: 'string', enum: [...linkTypes] },
      },
      'issueId',
      'targetIssueId',
      'linkType',
    ),
    annotations: WRITES,
  },
  unlink_issues: {
    title: 'Remove a link',
    description:
      'Removes a link of an issue. An issue that waits only for the other end of the link is Open again. Returns {linkId}. ' +
      'platform__get_issue lists the links of an issue with their ids.',
    inputSchema: taking(
      { issueId, linkId: { type: 'string', description: 'Id of the link, as links of the issue names it.' } },
      'issueId',
      'linkId',
    ),
    annotations: { ...WRITES, destructiveHint: true },
  },
} satisfies Record<string, ToolDefinition>;
