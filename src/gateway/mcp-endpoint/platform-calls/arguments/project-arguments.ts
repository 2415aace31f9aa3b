import { IsString } from 'class-validator';

/** What stands in the path of an HTTP route: the project that a tool is about. */
export class ProjectArguments {
  @IsString()
  projectId!: string;
}
