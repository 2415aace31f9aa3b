import { IsString } from 'class-validator';

/** The project of a tool, which is part of the path of the HTTP route. */
export class ProjectArguments {
  @IsString()
  projectId!: string;
}
