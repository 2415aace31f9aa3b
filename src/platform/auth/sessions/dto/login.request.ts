import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, MaxLength } from 'class-validator';
import { IsText } from '../../../http/body/text-rules.js';

export class LoginRequest {
  /** @example ada@example.com */
  @IsEmail()
  @MaxLength(254)
  email!: string;

  @ApiProperty({ example: 'correct horse battery staple' })
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  password!: string;
}
