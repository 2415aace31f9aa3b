import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, MaxLength } from 'class-validator';
import { IsText } from '../http/text-rules.js';

export class ChangePasswordRequest {
  @ApiProperty({ example: 'correct horse battery staple' })
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  currentPassword!: string;

  @ApiProperty({ minLength: 12, example: 'a longer and better phrase' })
  @IsText({ min: 12, max: 1000, unit: 'codePoints' })
  newPassword!: string;
}

export class LoginRequest {
  /** @example ada@example.com */
  @IsEmail()
  @MaxLength(254)
  email!: string;

  @ApiProperty({ example: 'correct horse battery staple' })
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  password!: string;
}
