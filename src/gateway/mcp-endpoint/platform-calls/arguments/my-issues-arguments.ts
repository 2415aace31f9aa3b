import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../../../platform/http/body/presence.decorators.js';
import { statuses, type Status } from '../../../../work/issues/status/issue-status.js';

/** The parameters of the list of issues that apply to the agent's own issues. */
export class MyIssuesArguments {
  @MayBeAbsent()
  @IsArray()
  @ArrayNotEmpty()
  @IsIn(statuses, { each: true, message: `must be some of ${statuses.join(', ')}` })
  @ArrayUnique({ message: 'must not name a status twice' })
  status?: Status[];

  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 50;

  @MayBeAbsent()
  @IsString()
  cursor?: string;
}
