import { useQuery } from '@tanstack/react-query';
import { CallList } from './call-list';
import { callSummaryQuery, type CallSubject } from './queries';

/** The tool calls of an agent or a server, with how those of the last 24 hours ended. */
export function CallsScreen({ subject }: { subject: CallSubject }) {
  const summary = useQuery(callSummaryQuery(subject)).data;
  const failed = summary === undefined ? 0 : summary.calls - summary.outcomes.ok;
  return (
    <CallList
      subject={subject}
      summary={summary && `In the last 24 hours: ${summary.calls} calls, of which ${failed} without success`}
    />
  );
}
