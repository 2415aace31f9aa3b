import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '../../../http/body/text-rules.js';

export class ElevateRequest {
  @ApiProperty({ description: "The caller's own password.", example: 'correct horse battery staple' })
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  password!: string;
}
