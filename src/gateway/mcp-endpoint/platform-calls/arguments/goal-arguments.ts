import { IsString } from 'class-validator';

/** The goal of a tool, which is part of the path of the HTTP route. */
export class GoalArguments {
  @IsString()
  goalId!: string;
}
