import type { UsageFigures } from '../../api/types';
import { Fact, Facts } from '../../parts/card';
import { costOf, shortNumber, timeOf } from './figures';

/** The figures of a subject in words. Tokens and cost are as agents reported them. */
export function UsageFacts({ usage }: { usage: UsageFigures }) {
  return (
    <Facts>
      <Fact name="Tokens">
        {shortNumber(usage.inputTokens)} in, {shortNumber(usage.outputTokens)} out
      </Fact>
      <Fact name="Cost">{costOf(usage.costMicros)}</Fact>
      <Fact name="Turns">
        {usage.turns}
        {usage.unreportedTurns > 0 && <span className="soft">, {usage.unreportedTurns} not reported</span>}
      </Fact>
      <Fact name="Tool calls">{usage.toolCalls}</Fact>
      <Fact name="Time">{timeOf(usage.wallSeconds)}</Fact>
    </Facts>
  );
}
