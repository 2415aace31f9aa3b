import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '../../../http/body/text-rules.js';

export class ChangePasswordRequest {
  @ApiProperty({ example: 'correct horse battery staple' })
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  currentPassword!: string;

  @ApiProperty({ minLength: 12, example: 'a longer and better phrase' })
  @IsText({ min: 12, max: 1000, unit: 'codePoints' })
  newPassword!: string;
}
